package io.spyhop.bench.pruning;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import io.spyhop.bench.tpcds.TpcdsTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Compares statistics with secondary indexes, the paper's figure 11: the latency of a single client
 * and the space, for. Replaces the statistics of the tables by global indexes; comes
 * last therefore.
 */
final class IndexTrial {
  private static final List<PaperQuery> QUERIES = List.of(PaperQuery.Q55, PaperQuery.Q96);
  private static final Duration ACTIVE_LIMIT = Duration.ofMinutes(5);
  private static final int REPETITIONS = 3;

  private final BenchCluster cluster;
  private final Dataset data;

  IndexTrial(BenchCluster cluster, Dataset data) {
    this.cluster = cluster;
    this.data = data;
  }

  List<Row> run(Client client) throws IOException {
    List<Double> statisticsMs = new ArrayList<>();
    List<Long> statisticsBytes = new ArrayList<>();
    for (PaperQuery query : QUERIES) {
      statisticsMs.add(latency(client, query, Way.STRICT));
      statisticsBytes.add(
          tables(query).stream().mapToLong(t -> client.counters(t).cacheBytes()).sum());
    }
    List<TpcdsTable> all = QUERIES.stream().flatMap(q -> tables(q).stream()).distinct().toList();
    Connection connection = cluster.connection();
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      for (TpcdsTable table : all) {
        replace(spyhop, table);
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < QUERIES.size(); i++) {
      PaperQuery query = QUERIES.get(i);
      long bytes = 0;
      for (TpcdsTable table : tables(query)) {
        for (TableName index : indexTables(table)) {
          bytes += cluster.storeFileBytes(index);
        }
      }
      rows.add(
          Row.of("name", query.title())
              .and("statistics_ms", statisticsMs.get(i))
              .and("statistics_bytes", statisticsBytes.get(i))
              .and("index_ms", latency(client, query, Way.INDEX))
              .and("index_bytes", bytes));
    }
    return rows;
  }

  private static List<TpcdsTable> tables(PaperQuery query) {
    return query.instances(1).get(0).stream().map(TableScan::table).toList();
  }

  private double latency(Client client, PaperQuery query, Way way) throws IOException {
    List<Double> millis = new ArrayList<>();
    for (int i = -1; i < REPETITIONS; i++) {
      for (List<TableScan> instance : query.instances(Settings.INSTANCES)) {
        double taken = Numbers.millis(() -> client.ask(instance, way, row -> {}));
        if (i >= 0) {
          millis.add(taken);
        }
      }
    }
    return Numbers.median(millis);
  }

  private void replace(Spyhop spyhop, TpcdsTable table) throws IOException {
    TableName name = data.name(table);
    for (Map.Entry<String, ValueType> column : table.statisticsColumns().entrySet()) {
      spyhop.admin().dropIndex(name, column.getKey());
      spyhop
          .admin()
          .createIndex(
              name,
              IndexDefinition.builder(column.getKey())
                  .kind(IndexKind.GLOBAL)
                  .column(TpcdsTable.FAMILY_NAME + ":" + column.getKey())
                  .type(column.getValue())
                  .build());
    }
    spyhop.admin().waitUntilActive(name, ACTIVE_LIMIT);
    Tables.flush(cluster.connection(), indexTables(table));
  }

  private List<TableName> indexTables(TpcdsTable table) {
    return table.statisticsColumns().keySet().stream()
        .map(c -> IndexTable.nameOf(data.name(table), c))
        .toList();
  }
}
