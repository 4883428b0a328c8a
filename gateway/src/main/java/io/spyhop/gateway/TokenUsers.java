package io.spyhop.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The users of a gateway by the hashes of their tokens (docs/formats/gateway-tokens.md). How long a
 * look-up takes tells nothing of the tokens that there are. Immutable, thread-safe.
 */
final class TokenUsers {
  private static final String HEADER = "spyhop-tokens 1";
  private static final Pattern LINE = Pattern.compile("([^:\\s]{1,256}):([0-9a-f]{64})");

  /** Some ten thousand lines. */
  private static final int MAX_FILE = 1 << 20;

  private record Entry(String user, byte[] hash) {}

  private final List<Entry> entries;

  private TokenUsers(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * Reads them from a file.
   *
   * @param option that names the file, for messages
   * @throws IOException if it cannot be read, may be read by everybody, or is no such file
   */
  static TokenUsers read(String option, Path file) throws IOException {
    List<String> lines =
        SecretFile.read(option, file, MAX_FILE).lines().map(String::strip).toList();
    if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
      throw new IOException(option + ": the first line of '" + file + "' is not " + HEADER);
    }
    List<Entry> entries = new ArrayList<>();
    Set<String> hashes = new HashSet<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isEmpty() && !lines.get(i).startsWith("#")) {
        Entry entry = entry(option, file, lines.get(i), i + 1);
        if (!hashes.add(HexFormat.of().formatHex(entry.hash))) {
          throw new IOException(
              option + ": line " + (i + 1) + " of '" + file + "' has the hash of another line");
        }
        entries.add(entry);
      }
    }
    if (entries.isEmpty()) {
      throw new IOException(option + ": '" + file + "' names no user");
    }
    return new TokenUsers(List.copyOf(entries));
  }

  private static Entry entry(String option, Path file, String text, int line) throws IOException {
    Matcher entry = LINE.matcher(text);
    if (!entry.matches()) {
      throw new IOException(
          option
              + ": line "
              + line
              + " of '"
              + file
              + "' is not USER:HASH with a SHA-256 of 64 digits 0-9 and a-f");
    }
    return new Entry(entry.group(1), HexFormat.of().parseHex(entry.group(2)));
  }

  /** The user who has a token; empty if none has. */
  Optional<String> userOf(String token) {
    byte[] hash = hash(token);
    String user = null;
    for (Entry entry : entries) {
      if (MessageDigest.isEqual(hash, entry.hash)) {
        user = entry.user;
      }
    }
    return Optional.ofNullable(user);
  }

  private static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
