package io.spyhop.bench.remix;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.server.index.view.ViewBuild;
import io.spyhop.server.view.BuildTerms;
import io.spyhop.server.view.SortedView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Runs the benchmark against region servers of this JVM: all blocks in the cache, medians of calls
 * at random places after a warm-up, the sides by turns. Not thread-safe.
 */
public final class RemixBench {
  private static final int[] RUNS = {1, 2, 4, 8, 16};
  private static final int FIFTY = 50;
  private static final int CHECKED = 200;
  private static final int INTERVAL = 32;
  private static final int WARM = 4;
  private static final int MEASURED = 10;
  private static final int RPC_SHARE = 10;
  private static final int LOAD_SHARE = 4;
  private static final List<String> SIDES = List.of("view", "heap", "compacted");
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Connection connection;
  private final Supplier<List<HRegionServer>> servers;
  private final int rows;
  private final int repetitions;
  private final List<Row> micro = new ArrayList<>();
  private final List<Row> views = new ArrayList<>();

  /**
   * @param servers the region servers, which run in this JVM
   * @param repetitions measured calls of each kind in process; a tenth of them by RPC
   */
  public RemixBench(
      Connection connection, Supplier<List<HRegionServer>> servers, int rows, int repetitions) {
    this.connection = connection;
    this.servers = servers;
    this.rows = rows;
    this.repetitions = repetitions;
  }

  /** Loads and measures. */
  public Row run(Progress.Factory progress) throws IOException {
    for (DataBlockEncoding encoding :
        new DataBlockEncoding[] {DataBlockEncoding.ROW_INDEX_V1, DataBlockEncoding.NONE}) {
      measure(encoding, progress);
    }
    return Row.of("settings", Row.of("rows", rows).and("repetitions", repetitions))
        .and("micro", micro)
        .and("view", views)
        .and("upkeep", new UpkeepTrial(connection, servers, rows).run(progress))
        .and("compaction", new CompactionTrial(connection, servers, rows, this::us).run(progress))
        .and(
            "load",
            new LoadTrial(connection, servers, rows, LOAD_SHARE * repetitions).run(progress))
        .and("top10", null);
  }

  private void measure(DataBlockEncoding encoding, Progress.Factory progress) throws IOException {
    String name = "remix_" + encoding.name().toLowerCase(Locale.ROOT);
    RemixTable compacted =
        new RemixTable(connection, servers, name + "_one", encoding, false, t -> t);
    compacted.load(rows, 1, progress);
    compacted.compact();
    List<byte[]> expected = sample(compacted);
    for (int runs : RUNS) {
      measure(name + "_" + runs, encoding, runs, compacted, expected, progress);
    }
    compacted.drop();
  }

  private void measure(
      String name,
      DataBlockEncoding encoding,
      int runs,
      RemixTable compacted,
      List<byte[]> expected,
      Progress.Factory progress)
      throws IOException {
    UnaryOperator<TableDescriptorBuilder> plain = t -> t.setCompactionEnabled(false);
    RemixTable view = new RemixTable(connection, servers, name + "_view", encoding, true, plain);
    RemixTable heap = new RemixTable(connection, servers, name + "_heap", encoding, false, plain);
    view.load(rows, runs, progress);
    heap.load(rows, runs, progress);
    if (runs > 1) {
      SortedView made = view.awaitView();
      if (encoding == DataBlockEncoding.ROW_INDEX_V1) {
        views.add(figures(view.region(), made));
      }
    }
    boolean equal = isEqual(expected, sample(view)) && isEqual(expected, sample(heap));
    List<RemixTable> tables = List.of(view, heap, compacted);
    for (int wanted : new int[] {1, FIFTY}) {
      double[] us =
          medians(tables, repetitions, (t, calls, seed) -> inProcess(t, wanted, calls, seed));
      double[] rpc =
          medians(
              tables, repetitions / RPC_SHARE, (t, calls, seed) -> byRpc(t, wanted, calls, seed));
      String op = wanted == 1 ? "seek" : "seek50";
      for (int t = 0; t < SIDES.size(); t++) {
        for (String via : List.of("process", "rpc")) {
          micro.add(
              Row.of("runs", runs)
                  .and("encoding", encoding.name())
                  .and("side", SIDES.get(t))
                  .and("op", op)
                  .and("via", via)
                  .and("us", via.equals("rpc") ? rpc[t] : us[t])
                  .and("equal", equal));
        }
      }
    }
    view.drop();
    heap.drop();
  }

  /** Measures so many calls. */
  private interface Calls {
    double[] us(RemixTable table, int calls, int seed) throws IOException;
  }

  /** By turns, in many rounds: what else the machine does then meets all sides alike. */
  private static double[] medians(List<RemixTable> tables, int wanted, Calls calls)
      throws IOException {
    int each = Math.max(1, wanted / MEASURED);
    double[][] us = new double[tables.size()][MEASURED * each];
    for (int round = 0; round < WARM + MEASURED; round++) {
      for (int t = 0; t < us.length; t++) {
        double[] some = calls.us(tables.get(t), each, round);
        if (round >= WARM) {
          System.arraycopy(some, 0, us[t], (round - WARM) * each, each);
        }
      }
    }
    return Arrays.stream(us).mapToDouble(RemixBench::median).toArray();
  }

  private static double median(double[] us) {
    Arrays.sort(us);
    return Numbers.rounded(us[us.length / 2]);
  }

  private double us(RemixTable table) throws IOException {
    return medians(
        List.of(table), repetitions, (t, calls, seed) -> inProcess(t, FIFTY, calls, seed))[0];
  }

  private double[] inProcess(RemixTable table, int wanted, int calls, int seed) throws IOException {
    HRegion region = table.region();
    Random random = new Random(seed);
    double[] us = new double[calls];
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      byte[] start = RemixTable.key(random.nextInt(Math.max(1, rows - wanted)));
      long began = System.nanoTime();
      try (RegionScanner scanner =
          region.getScanner(new Scan().withStartRow(start).addFamily(RemixTable.F))) {
        for (int r = 0; r < wanted; r++) {
          scanner.nextRaw(cells);
        }
      }
      us[i] = (System.nanoTime() - began) / NANOS_PER_MICRO;
      if (cells.size() != wanted) {
        throw new IOException("found " + cells.size() + " cells where " + wanted + " are");
      }
      cells.clear();
    }
    return us;
  }

  private double[] byRpc(RemixTable of, int wanted, int calls, int seed) throws IOException {
    Random random = new Random(seed);
    double[] us = new double[calls];
    try (Table table = connection.getTable(of.name())) {
      for (int i = 0; i < us.length; i++) {
        byte[] start = RemixTable.key(random.nextInt(Math.max(1, rows - wanted)));
        long began = System.nanoTime();
        int found = 0;
        try (ResultScanner scanner =
            table.getScanner(
                new Scan().withStartRow(start).addFamily(RemixTable.F).setLimit(wanted))) {
          for (Result r = scanner.next(); r != null; r = scanner.next()) {
            found += r.size();
          }
        }
        us[i] = (System.nanoTime() - began) / NANOS_PER_MICRO;
        if (found != wanted) {
          throw new IOException("found " + found + " cells where " + wanted + " are");
        }
      }
    }
    return us;
  }

  private static boolean isEqual(List<byte[]> a, List<byte[]> b) {
    boolean equal = a.size() == b.size();
    for (int i = 0; equal && i < a.size(); i++) {
      equal = Arrays.equals(a.get(i), b.get(i));
    }
    return equal;
  }

  /** Rows and values of scans at random places, and of a whole one by its rows. */
  private List<byte[]> sample(RemixTable table) throws IOException {
    Random random = new Random(9);
    List<byte[]> found = new ArrayList<>();
    for (int i = 0; i < CHECKED; i++) {
      byte[] start = RemixTable.key(random.nextInt(rows));
      List<Cell> cells = new ArrayList<>();
      try (RegionScanner scanner =
          table.region().getScanner(new Scan().withStartRow(start).addFamily(RemixTable.F))) {
        for (int r = 0; r < FIFTY; r++) {
          scanner.nextRaw(cells);
        }
        for (Cell c : cells) {
          found.add(CellUtil.cloneRow(c));
          found.add(CellUtil.cloneValue(c));
        }
      }
    }
    return found;
  }

  private static Row figures(HRegion region, SortedView made) throws IOException {
    HStore store = region.getStore(RemixTable.F);
    List<HStoreFile> files = new ArrayList<>(store.getStorefiles());
    files.sort(SpyhopAccess.byAge());
    build(store, files, null);
    long began = System.nanoTime();
    SortedView merged = build(store, files, null);
    long built = System.nanoTime();
    SortedView old = build(store, files.subList(0, files.size() - 1), null);
    long extending = System.nanoTime();
    SortedView extended = build(store, files, old);
    long end = System.nanoTime();
    return Row.of("runs", made.runs().size())
        .and("bytes_per_key", Numbers.rounded(made.size() / (double) made.keys()))
        .and(
            "build_keys_per_s", Numbers.rounded(merged.keys() * NANOS_PER_SECOND / (built - began)))
        .and(
            "extend_keys_per_s",
            Numbers.rounded(extended.keys() * NANOS_PER_SECOND / (end - extending)))
        .and("equal", extended.keys() == merged.keys());
  }

  private static SortedView build(HStore store, List<HStoreFile> files, SortedView old)
      throws IOException {
    try (ViewBuild build =
        new ViewBuild(
            store.getComparator(),
            RemixTable.F,
            files,
            new BuildTerms(INTERVAL, Long.MAX_VALUE, () -> {}))) {
      return build.build(old);
    }
  }
}
