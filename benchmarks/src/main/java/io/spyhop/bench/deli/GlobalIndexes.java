package io.spyhop.bench.deli;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.Paging;
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
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Spyhop's global indexes. */
public final class GlobalIndexes implements Product {
  private static final String NAME = "v";
  private static final String COLUMN = "f:v";

  /** More than any value has rows. */
  private static final int PAGE = 10_000;

  private static final Duration ACTIVE_LIMIT = Duration.ofMinutes(2);

  private final Connection connection;
  private final Spyhop spyhop;
  private final Quiesce quiesce;

  /** The connection stays the caller's. */
  public GlobalIndexes(Connection connection) {
    this.connection = connection;
    this.spyhop = Spyhop.connect(connection);
    this.quiesce = new QuietRepairs(spyhop.admin());
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
                .build(),
            LongStream.of(splits).boxed().toList());
    spyhop.admin().waitUntilActive(table, ACTIVE_LIMIT);
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
    DeferredIndexTable table = spyhop.deferred(name, NAME);
    return value ->
        table.readValue(value, HConstants.LATEST_TIMESTAMP, 1, Paging.first(PAGE)).cells().size();
  }

  @Override
  public long quiesce(TableName table) throws IOException {
    return quiesce.await(table);
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
