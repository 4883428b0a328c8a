package io.spyhop.cli.console;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Admits visitors of the console: those with the token if there is one, and otherwise those who
 * reach the loopback address by its own name. A stranger's page, in the browser of a user who may
 * reach the console, can give its own name this address (DNS rebinding), but then says that name.
 * Immutable, thread-safe.
 */
final class Visitors {
  private static final String BEARER = "Bearer ";
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final Optional<byte[]> token;

  /**
   * @param token what they must know; empty for a page on the loopback address alone
   */
  Visitors(Optional<String> token) {
    this.token = token.map(t -> t.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether a request with these headers may have data. */
  boolean mayKnow(Headers request) {
    return token.isPresent() ? saysToken(request, token.get()) : saysLoopback(request);
  }

  private static boolean saysToken(Headers request, byte[] expected) {
    String said = request.getFirst("Authorization");
    return said != null
        && said.startsWith(BEARER)
        && MessageDigest.isEqual(
            said.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8), expected);
  }

  private static boolean saysLoopback(Headers request) {
    String host = request.getFirst("Host");
    return host != null
        && LOOPBACK.contains(host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT));
  }
}
