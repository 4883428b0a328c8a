package io.spyhop.server.index.global;

import io.spyhop.core.protocol.EntryBatch;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries on their way to one server: one call at a time, and what comes while it is under way goes
 * with the next one, as a log does it with its syncs. Who adds entries waits for them, so what
 * waits here is bounded by the server's handlers. Thread-safe.
 */
final class EntrySender {
  private static final Logger LOG = LoggerFactory.getLogger(EntrySender.class);

  private final Call call;
  private final Detour detour;
  private Flight next = new Flight();
  private boolean flying;

  /** Calls the server. */
  @FunctionalInterface
  interface Call {
    /**
     * Sends an {@link EntryBatch}; completed with the encoded answer, or in time with a failure.
     */
    CompletableFuture<byte[]> send(byte[] firstRow, byte[] batch);
  }

  /** The way of all other writes, slower, that looks for regions where they are now. */
  @FunctionalInterface
  interface Detour {
    /** Completed when all puts are acknowledged. */
    CompletableFuture<?> write(List<Put> puts);
  }

  private static final class Flight {
    private final List<Put> puts = new ArrayList<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
  }

  /**
   * @param detour for what the server does not take
   */
  EntrySender(Call call, Detour detour) {
    this.call = call;
    this.detour = detour;
  }

  /** Completed when all these entries are acknowledged. */
  CompletableFuture<?> add(List<Put> puts) {
    Flight flight;
    synchronized (this) {
      flight = next;
      flight.puts.addAll(puts);
      if (flying) {
        return flight.done;
      }
      flying = true;
      next = new Flight();
    }
    start(flight);
    return flight.done;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  private void start(Flight flight) {
    CompletableFuture<byte[]> answer;
    try {
      answer = call.send(flight.puts.get(0).getRow(), EntryBatch.encode(flight.puts));
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete((bytes, failure) -> landed(flight, bytes, failure));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  private void landed(Flight flight, byte[] answer, Throwable failure) {
    startNext();
    try {
      if (isBusy(failure)) {
        flight.done.completeExceptionally(failure);
        return;
      }
      List<Put> rest = failure == null ? refused(flight, answer) : flight.puts;
      if (failure != null) {
        LOG.debug("Entries take the other way after a call failed", failure);
      }
      if (rest.isEmpty()) {
        flight.done.complete(null);
      } else {
        detour.write(rest).whenComplete((ok, e) -> complete(flight, e));
      }
    } catch (Throwable e) {
      flight.done.completeExceptionally(e);
    }
  }

  /** The other way leads to the same server, and would wait there. */
  private static boolean isBusy(Throwable failure) {
    return failure != null
        && Throwables.getCausalChain(failure).stream()
            .anyMatch(e -> String.valueOf(e.getMessage()).contains(EntryBatch.NO_MEMORY));
  }

  private static List<Put> refused(Flight flight, byte[] answer) throws CorruptFrameException {
    return EntryBatch.decodeAnswer(answer).stream().map(flight.puts::get).toList();
  }

  private static void complete(Flight flight, Throwable failure) {
    if (failure == null) {
      flight.done.complete(null);
    } else {
      flight.done.completeExceptionally(failure);
    }
  }

  private void startNext() {
    Flight flight;
    synchronized (this) {
      if (next.puts.isEmpty()) {
        flying = false;
        return;
      }
      flight = next;
      next = new Flight();
    }
    start(flight);
  }
}
