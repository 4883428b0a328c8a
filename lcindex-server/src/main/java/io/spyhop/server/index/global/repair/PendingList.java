package io.spyhop.server.index.global.repair;

import java.util.Collections;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;

/**
 * A durable list of which it is not known yet whether its flush or compaction commits.
 *
 * @param path where it is
 * @param foundAt since when its repair is owed
 * @param since since when its entries are known, for the grace period
 * @param source what is committed or not
 */
record PendingList(Path path, long foundAt, long since, Source source) {
  /**
   * A flush or compaction.
   *
   * @param family whose
   * @param inputs the HFiles of a compaction
   * @param committed whether what it has dropped is gone
   */
  record Source(String family, Set<String> inputs, BooleanSupplier committed) {
    /** Whether another compaction has an input of this one, which has failed then. */
    boolean overlaps(Source other) {
      return family.equals(other.family) && !Collections.disjoint(inputs, other.inputs);
    }
  }

  boolean isCommitted() {
    return source.committed().getAsBoolean();
  }
}
