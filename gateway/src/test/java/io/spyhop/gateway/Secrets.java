package io.spyhop.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;

/** Tokens and certificates of tests. */
final class Secrets {
  private Secrets() {}

  /** Of a file of tokens. */
  static String line(String user, String token) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    return user + ":" + HexFormat.of().formatHex(hash) + "\n";
  }

  /** A key and a certificate of 127.0.0.1, made by the JDK's keytool. */
  static GatewaySettings.Tls certificate(Path dir, String name) throws Exception {
    Path store = dir.resolve(name + ".p12");
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process made =
        new ProcessBuilder(
                tool,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "a",
                "-dname",
                "CN=gateway",
                "-ext",
                "SAN=IP:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                "password",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(made.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), "password".toCharArray());
    Path certificate = dir.resolve(name + ".pem");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("a").getEncoded()));
    Path key = dir.resolve(name + ".key");
    byte[] secret = keys.getKey("a", "password".toCharArray()).getEncoded();
    Files.writeString(key, pem("PRIVATE KEY", secret));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return new GatewaySettings.Tls(certificate, key);
  }

  private static String pem(String what, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }
}
