package io.spyhop.server.index.global;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.OpeningMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notes of an index table whose first region is here: read once, and kept up by what is
 * written. Thread-safe.
 */
final class KeptNotes implements IoSupplier<ControlNotes> {
  private static final Logger LOG = LoggerFactory.getLogger(KeptNotes.class);

  /** Writes that nobody has asked after; with more of them all notes are read again. */
  private static final int MOST_WRITES = 1_000;

  private final IoSupplier<ControlNotes> region;

  /** Marks of a write, none if it wrote something else: who writes does not wait for who reads. */
  private final Queue<List<OpeningMark>> writes = new LinkedBlockingQueue<>(MOST_WRITES);

  private volatile boolean missed;
  private ControlNotes notes;

  /**
   * @param region reads all of them
   */
  KeptNotes(IoSupplier<ControlNotes> region) {
    this.region = region;
  }

  /** All that was acknowledged before; the same instance if nothing was since the last time. */
  @Override
  public synchronized ControlNotes get() throws IOException {
    if (missed) {
      missed = false;
      notes = null;
    }
    List<OpeningMark> marks = new ArrayList<>();
    for (List<OpeningMark> write = writes.poll(); write != null; write = writes.poll()) {
      marks.addAll(write);
      notes = write.isEmpty() ? null : notes;
    }
    if (notes == null) {
      notes = region.get();
    } else if (!marks.isEmpty()) {
      notes = notes.with(marks);
    }
    return notes;
  }

  /**
   * A batch was applied, or some of it, and can be read; it is not acknowledged yet.
   *
   * @param batch of which rows that are no notes do not count
   * @return whether there are notes in it
   */
  boolean written(MiniBatchOperationInProgress<Mutation> batch) {
    boolean noted = false;
    try {
      noted = isNoted(batch);
    } finally {
      if (!noted) {
        missed = true;
      }
    }
    return hasNotes(batch);
  }

  private static boolean hasNotes(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (ControlRows.isNote(batch.getOperation(i).getRow())) {
        return true;
      }
    }
    return false;
  }

  /** Whether there was room for all that it says. */
  private boolean isNoted(MiniBatchOperationInProgress<Mutation> batch) {
    List<OpeningMark> marks = new ArrayList<>();
    boolean others = false;
    for (int i = 0; i < batch.size(); i++) {
      if (ControlRows.isNote(batch.getOperation(i).getRow())) {
        Optional<OpeningMark> mark =
            isDone(batch, i) ? markIn(batch.getOperation(i)) : Optional.empty();
        mark.ifPresent(marks::add);
        others |= mark.isEmpty();
      }
    }
    return !others && marks.isEmpty() || writes.offer(others ? List.of() : marks);
  }

  private static boolean isDone(MiniBatchOperationInProgress<Mutation> batch, int i) {
    return batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.SUCCESS;
  }

  private static Optional<OpeningMark> markIn(Mutation written) {
    try {
      return ControlRows.markIn(written);
    } catch (CorruptFrameException e) {
      LOG.debug("A note that cannot be read is left to who reads all", e);
      return Optional.empty();
    }
  }
}
