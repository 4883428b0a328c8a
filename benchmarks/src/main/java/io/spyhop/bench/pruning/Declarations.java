package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import io.spyhop.client.IndexAdmin;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/** Has statistics kept of the columns that predicates are on. Thread-safe. */
final class Declarations {
  private final IndexAdmin admin;
  private final int bloomBits;

  Declarations(IndexAdmin admin, int bloomBits) {
    this.admin = admin;
    this.bloomBits = bloomBits;
  }

  /** Declares a table's predicate columns, each with a filter, for statistics only. */
  void declare(TableName name, TpcdsTable table) throws IOException {
    List<IndexDefinition> definitions = new ArrayList<>();
    table
        .statisticsColumns()
        .forEach(
            (column, type) ->
                definitions.add(
                    IndexDefinition.builder(column)
                        .kind(IndexKind.STATS)
                        .column(TpcdsTable.FAMILY_NAME + ":" + column)
                        .type(type)
                        .bloom(new BloomSize(bloomBits))
                        .build()));
    if (!definitions.isEmpty()) {
      admin.createIndexes(name, definitions);
    }
  }
}
