package io.spyhop.cli.console;

import io.spyhop.gateway.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** The secrets that a page asks for. Stateless. */
public final class Tokens {
  private static final int BYTES = 24;
  private static final Pattern TOKEN = Pattern.compile("[\\w-]{16,256}");

  /** A file of one line is longer than a token, and no longer than this. */
  private static final int MAX_FILE = 4096;

  private Tokens() {}

  /** One that nobody guesses. */
  public static String random() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /**
   * The first line of a file.
   *
   * @throws IOException if it cannot be read, is no token, or may be read or written by everybody
   */
  public static String read(Path file) throws IOException {
    String text = SecretFile.read("--token-file", file, MAX_FILE);
    String token = text.lines().findFirst().orElse("").strip();
    if (!TOKEN.matcher(token).matches()) {
      throw new IOException(
          "--token-file: the first line of '"
              + file
              + "' is not 16 to 256 characters of A-Z, a-z, 0-9, - and _");
    }
    return token;
  }
}
