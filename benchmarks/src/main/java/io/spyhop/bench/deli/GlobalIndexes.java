package io.spyhop.bench.deli;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;

/** Spyhop's global indexes. */
public final class GlobalIndexes implements Product {
  private static final String NAME = "v";
  private static final String COLUMN = "f:v";
  private static final Duration ACTIVE_LIMIT = Duration.ofMinutes(2);

  private final Connection connection;
  private final Spyhop spyhop;

  /** The connection stays the caller's. */
  public GlobalIndexes(Connection connection) {
    this.connection = connection;
    this.spyhop = Spyhop.connect(connection);
  }

  @Override
  public void createIndex(TableName table, Maintenance maintenance, Repair repair, long[] splits)
      throws IOException {
    spyhop
        .admin()
        .createIndex(
            table,
            IndexDefinition.builder(NAME)
                .kind(IndexKind.GLOBAL)
                .column(COLUMN)
                .type(ValueType.LONG)
                .maintenance(maintenance)
                .repair(repair)
                .build());
    spyhop.admin().waitUntilActive(table, ACTIVE_LIMIT);
    splitIndex(IndexTable.nameOf(table, NAME), splits);
  }

  /** Splits an index table that has not been split when it was made. */
  private void splitIndex(TableName index, long[] splits) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (long split : splits) {
        byte[] row = ValueType.LONG.codec().operand(split).key().bytes();
        if (admin.getRegions(index).size() <= splits.length) {
          Splits.split(admin, index, row);
        }
      }
    }
  }

  @Override
  public List<TableName> indexTables(TableName table) throws IOException {
    TableName index = IndexTable.nameOf(table, NAME);
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(index) ? List.of(index) : List.of();
    }
  }

  @Override
  public ValueReader reader(TableName name) {
    IndexedTable table = spyhop.table(name);
    return value -> {
      int found = 0;
      try (RowCursor rows = table.query(Query.where(NAME + " = " + value))) {
        for (Result row : rows) {
          found += row.isEmpty() ? 0 : 1;
        }
      }
      return found;
    };
  }

  @Override
  public void quiesce(TableName table) throws IOException {
    spyhop.admin().waitUntilActive(table, ACTIVE_LIMIT);
  }

  @Override
  public void repairBefore(TableName table) throws IOException {
    RawScan.run(connection, table);
  }

  @Override
  public void close() {
    spyhop.close();
  }
}
