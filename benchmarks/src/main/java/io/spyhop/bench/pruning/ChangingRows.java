package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One in twenty rows of each dimension table but store, all over its regions, to be written while
 * queries are asked: one half as they are, the other with the queried columns of another one of
 * them, so that regions get values that they did not have. Thread-safe.
 */
final class ChangingRows {
  private static final int EVERY = 20;

  private final Dataset data;
  private final List<TpcdsTable> tables;
  private final Map<TpcdsTable, List<Put>> rows = new EnumMap<>(TpcdsTable.class);
  private final Map<TpcdsTable, Set<ByteBuffer>> keys = new EnumMap<>(TpcdsTable.class);

  /**
   * Rows that are written together.
   *
   * @param table whose rows they are
   * @param puts rows, each once
   * @param changed how many have other values
   */
  record Batch(TpcdsTable table, List<Put> puts, int changed) {}

  ChangingRows(Dataset data) {
    this.data = data;
    this.tables =
        data.tables().stream()
            .filter(t -> t != TpcdsTable.STORE_SALES && t != TpcdsTable.STORE)
            .toList();
    for (TpcdsTable table : tables) {
      // A column that was NULL could not be put back.
      int cells = table.statisticsColumns().size() + 1;
      List<Put> chosen = new ArrayList<>(data.sample(table, EVERY));
      chosen.removeIf(p -> p.size() != cells);
      rows.put(table, chosen);
      keys.put(
          table, chosen.stream().map(p -> ByteBuffer.wrap(p.getRow())).collect(Collectors.toSet()));
    }
  }

  /**
   * Rows of one table that follow each other, from any one on: with a row of each region, a batch
   * would wait for the log as often as there are regions.
   */
  Batch batch(SplittableRandom random, int size) {
    TpcdsTable table = tables.get(random.nextInt(tables.size()));
    List<Put> all = rows.get(table);
    int first = random.nextInt(all.size());
    List<Put> puts = new ArrayList<>(size);
    int changed = 0;
    for (int i = 0; i < Math.min(size, all.size()); i++) {
      Put row = all.get((first + i) % all.size());
      boolean changes = random.nextBoolean();
      puts.add(changes ? changed(table, row, all.get(random.nextInt(all.size()))) : row);
      changed += changes ? 1 : 0;
    }
    return new Batch(table, puts, changed);
  }

  private static Put changed(TpcdsTable table, Put row, Put other) {
    Put changed = new Put(row.getRow());
    for (String column : table.statisticsColumns().keySet()) {
      byte[] qualifier = Bytes.toBytes(column);
      for (Cell cell : other.get(TpcdsTable.FAMILY, qualifier)) {
        changed.addColumn(TpcdsTable.FAMILY, qualifier, CellUtil.cloneValue(cell));
      }
    }
    return changed;
  }

  /** The rows of an answer that are never written. */
  List<Result> others(TpcdsTable table, List<Result> answer) {
    Set<ByteBuffer> written = keys.getOrDefault(table, Set.of());
    return answer.stream().filter(r -> !written.contains(ByteBuffer.wrap(r.getRow()))).toList();
  }

  /** Gives all rows their own values again; then each region is one HFile. */
  void putBack(Connection connection) throws IOException {
    for (TpcdsTable name : tables) {
      try (Table table = connection.getTable(data.name(name))) {
        table.put(rows.get(name));
      }
    }
    data.compact();
  }
}
