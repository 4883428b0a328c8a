package io.spyhop.server.index.global;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.OpeningMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notes of an index table whose first region is here: read once, and kept up as they are
 * written. Thread-safe.
 */
final class KeptNotes implements IoSupplier<ControlNotes> {
  private static final Logger LOG = LoggerFactory.getLogger(KeptNotes.class);

  private final IoSupplier<ControlNotes> region;
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
    if (notes == null) {
      notes = region.get();
    }
    return notes;
  }

  /**
   * A batch was applied, or some of it, and can be read; it is not acknowledged yet.
   *
   * @param batch of which rows that are no notes do not count
   */
  synchronized void written(MiniBatchOperationInProgress<Mutation> batch) {
    ControlNotes before = notes;
    List<OpeningMark> marks = new ArrayList<>();
    for (int i = 0; before != null && i < batch.size(); i++) {
      if (ControlRows.isNote(batch.getOperation(i).getRow())) {
        notes = null;
        Optional<OpeningMark> mark =
            isDone(batch, i) ? markIn(batch.getOperation(i)) : Optional.empty();
        if (mark.isEmpty()) {
          return;
        }
        marks.add(mark.get());
      }
    }
    if (!marks.isEmpty()) {
      notes = before.with(marks);
    }
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
