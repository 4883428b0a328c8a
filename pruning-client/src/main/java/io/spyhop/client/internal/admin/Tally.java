package io.spyhop.client.internal.admin;

import io.spyhop.client.VerifyReport;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/** Counts what a verification of an index without entries of its own finds. Not thread-safe. */
final class Tally {
  private static final int SAMPLES = 20;

  private final IndexDefinition index;
  private final List<Entry> samples = new ArrayList<>();
  private long compared;
  private long missing;
  private long answered;
  private long unchecked;

  Tally(IndexDefinition index) {
    this.index = index;
  }

  void compared(long some) {
    compared += some;
  }

  void answered(long some) {
    answered += some;
  }

  void unchecked(long some) {
    unchecked += some;
  }

  /** Something that the index does not have, with a cell of its column, or of its row. */
  void missing(Cell cell) {
    missing++;
    if (samples.size() < SAMPLES) {
      ValueKey key =
          index.column().matches(cell)
              ? index
                  .type()
                  .codec()
                  .key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
              : null;
      byte[] bytes = (key == null ? ValueKey.UNKEYABLE : key).bytes();
      samples.add(new Entry(bytes, CellUtil.cloneRow(cell), cell.getTimestamp()));
    }
  }

  VerifyReport report() {
    return new VerifyReport(
        index.name(),
        compared,
        missing,
        answered,
        0,
        List.copyOf(samples),
        List.of(),
        unchecked,
        false);
  }
}
