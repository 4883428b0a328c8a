package io.spyhop.server.query;

import java.io.IOException;

/**
 * What one query holds in one region: bounded by its own budget and by the server's. Not
 * thread-safe.
 */
final class QueryMemory implements AutoCloseable {
  private static final long STEP = 256 << 10;

  /** The query would hold too much; it goes to the plain scan. */
  static final class ExhaustedException extends IOException {
    private static final long serialVersionUID = 1L;

    ExhaustedException(String message) {
      super(message);
    }
  }

  private final MemoryBudget server;
  private final long budget;
  private long reserved;
  private long candidates;
  private long held;

  QueryMemory(MemoryBudget server, long budget) {
    this.server = server;
    this.budget = budget;
  }

  /** Candidates take that many bytes more. */
  void add(long bytes) throws ExhaustedException {
    candidates += bytes;
    ensure();
  }

  /** Everything else takes that many bytes. */
  void hold(long bytes) throws ExhaustedException {
    held = bytes;
    ensure();
  }

  private void ensure() throws ExhaustedException {
    long needed = candidates + held;
    if (needed <= reserved) {
      return;
    }
    if (needed > budget) {
      throw new ExhaustedException("more candidates than spyhop.query.sort.budget=" + budget);
    }
    long more = needed - reserved + STEP;
    if (!server.tryReserve(more)) {
      throw new ExhaustedException("the queries of this server hold all of spyhop.query.memory");
    }
    reserved += more;
  }

  @Override
  public void close() {
    server.release(reserved);
    reserved = 0;
    candidates = 0;
    held = 0;
  }
}
