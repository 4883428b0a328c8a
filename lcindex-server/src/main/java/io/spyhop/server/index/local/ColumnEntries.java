package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;

/**
 * Collects the keys of one index in one row after the other: one per distinct value, over all
 * versions, because a later delete of the newest version exposes an older one. Not thread-safe.
 */
final class ColumnEntries {
  private final ValueCodec codec;
  private final ColumnStatistics.Builder statistics;
  private final List<ValueKey> keys = new ArrayList<>();

  /** The same, where there are several. */
  private final Set<ValueKey> several = new HashSet<>();

  private boolean present;

  ColumnEntries(IndexDefinition definition, ColumnStatistics.Builder statistics) {
    this.codec = definition.type().codec();
    this.statistics = statistics;
  }

  void begin() {
    keys.clear();
    several.clear();
    present = false;
  }

  /** A cell of the column. */
  void add(Cell cell) {
    if (cell.getTypeByte() != KeyValue.Type.Put.getCode()) {
      return;
    }
    present = true;
    ValueKey key = codec.key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    if (key == null) {
      statistics.undecodableCell();
    } else if (keys.isEmpty() || isNew(key)) {
      keys.add(key);
    }
  }

  private boolean isNew(ValueKey key) {
    if (several.isEmpty()) {
      several.addAll(keys);
    }
    return several.add(key);
  }

  /** Whether the row has the column, but no cell of it decodes. */
  boolean isUndecodable() {
    return present && keys.isEmpty();
  }

  /** Ends the row and returns its keys. */
  List<ValueKey> end(boolean complex) {
    statistics.row(present);
    keys.forEach(k -> statistics.entry(complex));
    return keys;
  }
}
