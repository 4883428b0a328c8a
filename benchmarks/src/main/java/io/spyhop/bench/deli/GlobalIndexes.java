package io.spyhop.bench.deli;

import io.spyhop.bench.Await;
import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Paging;
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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Spyhop's global indexes. */
public final class GlobalIndexes implements Product {
  /** More than any value has rows. */
  private static final int PAGE = 10_000;

  private static final Duration STEP = Duration.ofMillis(20);

  /** What moves from one list to the next is in none of them for a moment. */
  private static final int QUIET_LOOKS = 5;

  private static final Duration ACTIVE_LIMIT = Duration.ofMinutes(2);

  private final Connection connection;
  private final Spyhop spyhop;
  private final Map<TableName, DeferredIndexTable> tables = new ConcurrentHashMap<>();
  private final Map<TableName, IndexedTable> queried = new ConcurrentHashMap<>();

  /** The connection stays the caller's. */
  public GlobalIndexes(Connection connection) {
    this.connection = connection;
    this.spyhop = Spyhop.connect(connection);
  }

  @Override
  public void createIndex(
      TableName table, String column, Maintenance maintenance, Repair repair, long[] splits)
      throws IOException {
    spyhop
        .admin()
        .createIndex(
            table,
            IndexDefinition.builder(column)
                .kind(IndexKind.GLOBAL)
                .column(Bytes.toString(DeliTable.FAMILY) + ":" + column)
                .type(ValueType.LONG)
                .maintenance(maintenance)
                .repair(repair)
                .build(),
            LongStream.of(splits).boxed().toList());
    spyhop.admin().waitUntilActive(table, ACTIVE_LIMIT);
  }

  @Override
  public List<TableName> indexTables(TableName table) throws IOException {
    return spyhop.admin().listIndexes(table).stream()
        .map(index -> IndexTable.nameOf(table, index.name()))
        .toList();
  }

  @Override
  public int read(TableName table, long value) throws IOException {
    return tables
        .computeIfAbsent(table, name -> spyhop.deferred(name, DeliTable.INDEXED))
        .readValue(value, HConstants.LATEST_TIMESTAMP, 1, Paging.first(PAGE))
        .cells()
        .size();
  }

  @Override
  public int find(TableName table, Search search) throws IOException {
    Query all = Query.where(search.condition());
    Query query = search.isLimited() ? all.limit(search.limit()) : all;
    int found = 0;
    try (RowCursor rows = queried.computeIfAbsent(table, spyhop::table).query(query)) {
      for (Result row : rows) {
        found += row.isEmpty() ? 0 : 1;
      }
    }
    return found;
  }

  /** Waits for repairs of all tables: only one table is written at a time. */
  @Override
  public long quiesce(TableName table) throws IOException {
    return Await.until(
        "table '" + table + "' is repaired",
        STEP,
        QUIET_LOOKS,
        () -> spyhop.admin().repairs() == 0);
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
