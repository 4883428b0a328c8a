package io.spyhop.server.index.stats;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.GrowingSummary;
import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/**
 * A column of which a region has statistics. Immutable, thread-safe.
 *
 * @param name the column
 * @param type how its cells are read
 * @param bloom how large its filters are: the largest that a definition of the column asks for
 */
record StatisticsColumn(ColumnName name, ValueType type, BloomSize bloom) {
  /**
   * The columns of a family of which there are statistics, in order. None where values are stored
   * apart from the HFiles (MOB): what a compaction writes there are only pointers.
   */
  static List<StatisticsColumn> of(IndexSchema schema, ColumnFamilyDescriptor family) {
    if (family.isMobEnabled()) {
      return List.of();
    }
    Map<ColumnName, StatisticsColumn> columns = new TreeMap<>();
    for (IndexDefinition d : schema.indexesOf(family.getName())) {
      StatisticsColumn column = new StatisticsColumn(d.column(), d.type(), d.bloom());
      columns.merge(d.column(), column, StatisticsColumn::larger);
    }
    return List.copyOf(new ArrayList<>(columns.values()));
  }

  private StatisticsColumn larger(StatisticsColumn other) {
    return other.bloom.startBits() > bloom.startBits() ? other : this;
  }

  /** A summary of no cells, to add cells to. */
  GrowingSummary growing() {
    return new GrowingSummary(type, bloom);
  }

  /** Whether a stored summary is what this column asks for. */
  boolean isAnsweredBy(ColumnSummary summary) {
    return summary != null
        && summary.type() == type
        && (!bloom.isOn() || summary.bloom() != null && isLargeEnough(summary.bloom().bits()));
  }

  private boolean isLargeEnough(int bits) {
    return bloom.isAuto() || bits >= bloom.startBits();
  }
}
