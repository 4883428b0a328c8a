package io.spyhop.bench.remix;

import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * The same puts, half of them updates, in many flushes: under HBase's defaults, and with views
 * under the setting that keeps up to 16 HFiles. Not thread-safe.
 */
final class CompactionTrial {
  private static final int FLUSHES = 40;

  private final Connection connection;
  private final Supplier<List<HRegionServer>> servers;
  private final int rows;
  private final IoFunction<RemixTable, Double> measure;

  CompactionTrial(
      Connection connection,
      Supplier<List<HRegionServer>> servers,
      int rows,
      IoFunction<RemixTable, Double> measure) {
    this.connection = connection;
    this.servers = servers;
    this.rows = rows;
    this.measure = measure;
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    List<Row> results = new ArrayList<>();
    results.add(measure("defaults", false, t -> t, progress));
    results.add(measure("views, up to 16 files", true, RemixTable::keepMany, progress));
    return results;
  }

  private Row measure(
      String setting,
      boolean views,
      UnaryOperator<TableDescriptorBuilder> options,
      Progress.Factory progress)
      throws IOException {
    RemixTable table =
        new RemixTable(
            connection,
            servers,
            "remix_compaction",
            DataBlockEncoding.ROW_INDEX_V1,
            views,
            options);
    int[] last = new int[rows];
    long put = load(table, last, progress);
    table.awaitQuiet();
    if (views && table.store().getStorefilesCount() > 1) {
      table.awaitView();
    }
    long written = table.written();
    Row result =
        Row.of("setting", setting)
            .and("bytes_put", put)
            .and("bytes_written", written)
            .and("scan_us", measure.apply(table))
            .and("equal", table.has(last));
    table.drop();
    return result;
  }

  /**
   * Each put has a timestamp of its own: of two puts of a row in one batch the server would give
   * both the same one.
   *
   * @return bytes of cells that were put
   */
  private long load(RemixTable table, int[] last, Progress.Factory progress) throws IOException {
    Random random = new Random(3);
    long begun = System.currentTimeMillis() - 2L * rows;
    long bytes = 0;
    int seed = 0;
    try (Progress bar = progress.start("load " + table.name(), 2L * rows)) {
      for (int f = 0; f < FLUSHES; f++) {
        try (BufferedMutator writer = connection.getBufferedMutator(table.name())) {
          for (int i = f; i < 2 * rows; i += FLUSHES) {
            int row = i < rows ? i : random.nextInt(rows);
            Put made = RemixTable.put(row, ++seed, begun + seed);
            last[row] = seed;
            bytes += RemixTable.size(made);
            writer.mutate(made);
            bar.step(1);
          }
        }
        table.flush();
      }
    }
    return bytes;
  }
}
