package io.spyhop.server.index.global;

import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.wal.WAL;

/**
 * Joins writes to one index table that come at the same time: the thread whose turn it is makes
 * those of all that wait for theirs. The entries of one batch of a region spread over all regions
 * of the index table, a few to each; joined, they make fewer and larger writes. Thread-safe.
 */
final class WriteGroup {
  private final ReentrantLock turn = new ReentrantLock();
  private final Queue<Pending> waiting = new ConcurrentLinkedQueue<>();

  /**
   * A kind of mutations, which are only joined with others of the same kind.
   *
   * @param entries whether they are puts of entries, nothing else
   * @param log the log that who waits appends to next, or null
   */
  record Kind(boolean entries, WAL log) {}

  /** Mutations that a thread waits for. */
  static final class Pending {
    private final List<? extends Mutation> mutations;
    private final List<CompletableFuture<?>> parts = new ArrayList<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Kind kind;
    private boolean taken;

    Pending(List<? extends Mutation> mutations, Kind kind) {
      this.mutations = mutations;
      this.kind = kind;
    }

    Kind kind() {
      return kind;
    }

    List<? extends Mutation> mutations() {
      return mutations;
    }

    /** What must be acknowledged as well. */
    void await(CompletableFuture<?> part) {
      parts.add(part);
    }

    /** Nothing more is to be awaited. */
    @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
    private void complete() {
      CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
          .whenComplete(
              (ok, failure) -> {
                if (failure == null) {
                  done.complete(null);
                } else {
                  done.completeExceptionally(unwrapped(failure));
                }
              });
    }

    private static Throwable unwrapped(Throwable failure) {
      return failure.getCause() == null ? failure : failure.getCause();
    }
  }

  /**
   * Has mutations written, by the calling thread or by another one.
   *
   * @param kind what is known of them
   * @param millis how long to wait for a turn
   * @param work begins to write for all in a list, and says what they have to await
   * @return completed when the mutations are acknowledged
   */
  CompletableFuture<Void> join(
      List<? extends Mutation> mutations, Kind kind, long millis, Consumer<List<Pending>> work)
      throws IOException {
    Pending own = new Pending(mutations, kind);
    waiting.add(own);
    if (!isTurn(own, millis)) {
      own.done.completeExceptionally(
          new IOException("other writes to the table took longer than " + millis + " ms"));
      return own.done;
    }
    try {
      if (!own.taken) {
        begin(work);
      }
    } finally {
      turn.unlock();
    }
    return own.done;
  }

  /** What nobody waits for any more is not written later, unless it has been taken already. */
  private boolean isTurn(Pending own, long millis) throws IOException {
    boolean turns = false;
    try {
      turns = turn.tryLock(millis, TimeUnit.MILLISECONDS);
      return turns;
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted before a write", e);
    } finally {
      if (!turns) {
        waiting.remove(own);
      }
    }
  }

  private void begin(Consumer<List<Pending>> work) {
    List<Pending> group = new ArrayList<>();
    for (Pending p = waiting.poll(); p != null; p = waiting.poll()) {
      p.taken = true;
      group.add(p);
    }
    try {
      work.accept(group);
    } catch (Throwable e) {
      group.forEach(p -> p.await(CompletableFuture.failedFuture(e)));
    } finally {
      group.forEach(Pending::complete);
    }
  }
}
