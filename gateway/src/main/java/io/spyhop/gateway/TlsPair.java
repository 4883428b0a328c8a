package io.spyhop.gateway;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The check that a private key is that of a certificate, which otherwise clients would make. */
final class TlsPair {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  /** Other algorithms of keys are signatures' by the same name. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "DSA", "SHA256withDSA");

  private TlsPair() {}

  /**
   * Whether they belong together.
   *
   * @param certificates in PEM, the server's first
   * @param key in PEM, PKCS #8
   * @throws GeneralSecurityException if they cannot be read, or are of different algorithms
   */
  static boolean matches(byte[] certificates, String key) throws GeneralSecurityException {
    PublicKey known =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificates))
            .getPublicKey();
    Matcher secret = KEY.matcher(key);
    if (!secret.find()) {
      throw new GeneralSecurityException("there is no line -----BEGIN PRIVATE KEY-----");
    }
    byte[] der = Base64.getMimeDecoder().decode(secret.group(1));
    PrivateKey its =
        KeyFactory.getInstance(known.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(der));
    Signature signature =
        Signature.getInstance(SIGNATURES.getOrDefault(known.getAlgorithm(), known.getAlgorithm()));
    byte[] text = "spyhop".getBytes(StandardCharsets.US_ASCII);
    signature.initSign(its);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(known);
    signature.update(text);
    return signature.verify(signed);
  }
}
