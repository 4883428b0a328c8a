package io.spyhop.server.memory;

import java.io.IOException;

/**
 * The memory of one query in one region: bounded by its own budget and by the server's. Not
 * thread-safe.
 */
public final class QueryMemory implements AutoCloseable {
  private static final long STEP = 256 << 10;

  /** The query would hold too much; it goes to the plain scan. */
  public static final class ExhaustedException extends IOException {
    private static final long serialVersionUID = 1L;

    ExhaustedException(String message) {
      super(message);
    }
  }

  private final MemoryBudget server;
  private final long budget;
  private final long overdraft;
  private long reserved;
  private long candidates;
  private long held;

  public QueryMemory(MemoryBudget server, long budget) {
    this(server, budget, 0);
  }

  /**
   * The memory of a query that can hardly be answered otherwise.
   *
   * @param overdraft what it may hold beyond what the server has room for; no more than an open
   *     scanner takes
   */
  public QueryMemory(MemoryBudget server, long budget, long overdraft) {
    this.server = server;
    this.budget = budget;
    this.overdraft = overdraft;
  }

  /** What it may hold at most. */
  public long budget() {
    return budget;
  }

  /** Candidates take that many bytes more; if these are not there, nothing changes. */
  public void add(long bytes) throws ExhaustedException {
    ensure(candidates + bytes + held);
    candidates += bytes;
  }

  /** Everything else takes that many bytes; if these are not there, nothing changes. */
  public void hold(long bytes) throws ExhaustedException {
    ensure(candidates + bytes);
    held = bytes;
  }

  /** Has everything else take that many bytes if they are there; if not, nothing changes. */
  public boolean tryHold(long bytes) {
    if (!isReserved(candidates + bytes)) {
      return false;
    }
    held = bytes;
    return true;
  }

  private void ensure(long needed) throws ExhaustedException {
    if (!isReserved(needed)) {
      throw new ExhaustedException(
          needed > budget
              ? "more candidates than spyhop.query.sort.budget=" + budget
              : "the queries of this server hold all of spyhop.query.memory");
    }
  }

  private boolean isReserved(long needed) {
    if (needed <= reserved) {
      giveBack(reserved - needed);
      return true;
    }
    if (needed > budget) {
      return false;
    }
    long more = needed - reserved + STEP;
    if (!server.tryReserve(more)) {
      return needed - reserved <= overdraft;
    }
    reserved += more;
    return true;
  }

  /** Gives what is not needed any more to other queries, but for a step. */
  private void giveBack(long more) {
    if (more > 2 * STEP) {
      server.release(more - STEP);
      reserved -= more - STEP;
    }
  }

  @Override
  public void close() {
    server.release(reserved);
    reserved = 0;
    candidates = 0;
    held = 0;
  }
}
