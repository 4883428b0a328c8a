package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.prune.StatisticsCache.Known;
import io.spyhop.core.prune.Decision;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A range of rows and what a query does with it.
 *
 * @param range inside one region, as far as the client knows
 * @param decision what is read of it
 * @param known the statistics that made the decision; empty if there were none
 * @param region where it is as far as the client knows; null if it knows of no region
 * @param settled whether it stands: it reads, or its statistics are fresh enough not to
 */
public record Part(
    RowRange range,
    Decision decision,
    Optional<Known> known,
    HRegionLocation region,
    boolean settled) {
  /** In row-key order. */
  static final Comparator<Part> BY_ROW =
      Comparator.comparing(p -> p.range().start(), Bytes.BYTES_COMPARATOR);

  /** The same, and its decision stands. */
  Part confirmed() {
    return new Part(range, decision, known, region, true);
  }

  /** Whether nothing is read of it. */
  public boolean isPruned() {
    return decision.isPruned();
  }
}
