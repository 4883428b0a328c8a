package io.spyhop.gateway;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of a gateway. Immutable, thread-safe.
 *
 * @param address to listen at; port 0 for any that is free
 * @param users who may ask; empty for all who reach the loopback address
 * @param tls of the connections; empty for none
 * @param impersonates whether queries run as the users of {@code users}, in place of the gateway's
 *     own
 * @param limits of what it takes
 */
public record GatewaySettings(
    InetSocketAddress address,
    Optional<TokenFile> users,
    Optional<Tls> tls,
    boolean impersonates,
    Limits limits) {
  /**
   * Files in PEM.
   *
   * @param certificates the server's, and those that it was signed by
   * @param key its private key, without a password, which not everybody may read
   */
  public record Tls(Path certificates, Path key) {}

  /**
   * Bounds.
   *
   * @param queries that run at once, of all users together; half of them of one user, where there
   *     are tokens
   * @param memory in bytes for Arrow's batches, of which each query has its share
   * @param time that a query may take at most
   * @param users whose connections to HBase stay open
   * @param batchRows the most rows of a batch
   * @param batchBytes about the most bytes of a batch, and a row
   */
  public record Limits(
      int queries, long memory, Duration time, int users, int batchRows, long batchBytes) {
    /** For the share of a query: rooms are powers of two, for the batch and a row. */
    private static final int SHARES = 4;

    /** A query takes no longer time limit. */
    private static final Duration MOST_TIME = Duration.ofDays(1_000);

    /** Those of a gateway that nothing else is said of. */
    public static final Limits DEFAULT =
        new Limits(16, 512 << 20, Duration.ofMinutes(10), 64, 65_536, 4 << 20);

    /**
     * Takes them.
     *
     * @throws IllegalArgumentException if one is less than 1, the time is more than 1,000 days, or
     *     the memory too little for the queries
     */
    public Limits {
      if (queries < 1 || users < 1 || batchRows < 1 || batchBytes < 1 || time.toMillis() < 1) {
        throw new IllegalArgumentException("a limit of the gateway is less than 1");
      }
      if (time.compareTo(MOST_TIME) > 0) {
        throw new IllegalArgumentException(
            "a time limit of " + time.toSeconds() + " seconds is more than 1,000 days");
      }
      if (memory / queries < SHARES * batchBytes) {
        throw new IllegalArgumentException(
            memory
                + " bytes are too little for "
                + queries
                + " queries at once, each of which takes "
                + SHARES * batchBytes);
      }
    }

    /** The bytes that a query may take. */
    long share() {
      return memory / queries;
    }
  }

  /**
   * Takes them.
   *
   * @throws IllegalArgumentException if others than users of this machine could ask without a token
   *     or TLS, or queries are to run as users that no token names
   */
  public GatewaySettings {
    InetAddress at = address.getAddress();
    if (!at.isLoopbackAddress() && (users.isEmpty() || tls.isEmpty())) {
      throw new IllegalArgumentException(
          "address "
              + at.getHostAddress()
              + " is not a loopback address: there a gateway takes both tokens and TLS");
    }
    if (impersonates && users.isEmpty()) {
      throw new IllegalArgumentException("without tokens no user is known to run queries as");
    }
  }
}
