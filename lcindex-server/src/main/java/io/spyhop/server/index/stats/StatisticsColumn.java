package io.spyhop.server.index.stats;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.LocalOptions;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.GrowingSummary;
import io.spyhop.core.stats.SourceSummary;
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
 * @param logged whether writes are logged for queries, as an index in the columnar layout asks for
 */
record StatisticsColumn(ColumnName name, ValueType type, BloomSize bloom, boolean logged) {
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
      StatisticsColumn column = new StatisticsColumn(d.column(), d.type(), d.bloom(), isLogged(d));
      columns.merge(d.column(), column, StatisticsColumn::union);
    }
    return List.copyOf(new ArrayList<>(columns.values()));
  }

  private static boolean isLogged(IndexDefinition d) {
    return d.options() instanceof LocalOptions local && local.layout() == Layout.COLUMNAR;
  }

  private StatisticsColumn union(StatisticsColumn other) {
    StatisticsColumn larger = other.bloom.startBits() > bloom.startBits() ? other : this;
    return new StatisticsColumn(name, larger.type, larger.bloom, logged || other.logged);
  }

  /** The columns of which writes are logged. */
  static List<BoundColumn> logged(List<StatisticsColumn> columns) {
    return columns.stream()
        .filter(StatisticsColumn::logged)
        .map(c -> new BoundColumn(c.name, c.type))
        .toList();
  }

  /** A summary of no cells, to add cells to. */
  GrowingSummary growing(StatisticsMemory memory) {
    return new GrowingSummary(type, bloom, memory::take);
  }

  /** Those of the columns that a summary answers. */
  static List<StatisticsColumn> answered(List<StatisticsColumn> columns, SourceSummary summary) {
    List<StatisticsColumn> some =
        columns.stream().filter(c -> c.isAnsweredBy(summary.columns().get(c.name()))).toList();
    return some.size() == columns.size() ? columns : some;
  }

  /** Whether a stored summary is what this column asks for. */
  private boolean isAnsweredBy(ColumnSummary summary) {
    return summary != null
        && summary.type() == type
        && (!bloom.isOn() || summary.bloom() != null && isLargeEnough(summary.bloom().bits()));
  }

  private boolean isLargeEnough(int bits) {
    return bloom.isAuto() || bits >= bloom.startBits();
  }
}
