package io.spyhop.bench.micro;

import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.server.index.local.BuildSettings;
import io.spyhop.server.index.local.ColumnFileBuilder;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.OpenFiles;
import io.spyhop.server.index.local.PreparedFile;
import io.spyhop.server.index.local.StreamedFiles;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.store.FileRun;
import io.spyhop.server.view.store.FileRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures what building costs a row: the columnar files of three indexes of orders, from an HFile
 * on the local disk, and reading that HFile alone; and from cells in memory, as a flush has them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class BuildBenchmark {
  private static final int ROWS = 50_000;
  private static final int MOST_PACKED = 64 << 10;

  private final Configuration conf = HBaseConfiguration.create();
  private final List<IndexDefinition> indexes =
      RowsDefinition.with(OrdersTable.indexes(Layout.COLUMNAR));
  private java.nio.file.Path directory;
  private IndexDirectory files;
  private BuildSettings settings;
  private List<Cell> cells;
  private HFile.Reader hfile;

  /** Writes the HFile. */
  @Setup
  public void setUp() throws IOException {
    directory = Files.createTempDirectory("spyhop-build");
    FileSystem fs = FileSystem.getLocal(conf).getRaw();
    files =
        new IndexDirectory(
            fs,
            conf,
            path("region"),
            path("temporary"),
            new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE));
    settings =
        new BuildSettings(
            conf,
            ColumnFamilyDescriptorBuilder.of(OrdersTable.FAMILY),
            Long.MAX_VALUE,
            MOST_PACKED);
    CacheConfig cache = new CacheConfig(conf);
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, cache)
            .withPath(fs, path("hfile"))
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      Comparator<Cell> order = CellComparator.getInstance();
      cells =
          new OrderStream(ROWS)
              .next(ROWS).stream()
                  .flatMap(
                      o ->
                          OrdersTable.put(o, 1).getFamilyCellMap().get(OrdersTable.FAMILY).stream())
                  .sorted(order)
                  .toList();
      for (Cell cell : cells) {
        writer.append(cell);
      }
    }
    hfile = HFile.createReader(fs, path("hfile"), cache, true, conf);
  }

  private Path path(String name) {
    return new Path(directory.resolve(name).toString());
  }

  /** Reads the HFile's cells. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long read() throws IOException {
    long bytes = 0;
    try (FileRun run = FileRuns.discover(hfile, OptionalLong.empty())) {
      for (Cell cell = run.cell(); cell != null; cell = run.cell()) {
        bytes += cell.getValueLength();
        run.next();
      }
    }
    return bytes;
  }

  /** Builds the files of all indexes. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int build() throws IOException {
    Run file = new Run("hfile", hfile.length(), hfile.getEntries(), 1, new long[0], new int[0]);
    try (FileRun run = FileRuns.discover(hfile, OptionalLong.empty());
        ColumnFileBuilder builder = new ColumnFileBuilder(files, settings, indexes)) {
      List<PreparedFile> made = builder.build(file, run, () -> false);
      for (PreparedFile f : made) {
        f.close();
      }
      return made.size();
    }
  }

  /** Builds the files of all indexes of cells that go by. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int stream() throws IOException {
    Run file = new Run("hfile", hfile.length(), hfile.getEntries(), 1, new long[0], new int[0]);
    MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE);
    try (StreamedFiles stream =
        StreamedFiles.begin(files, settings, indexes, Optional.of(false), budget).orElseThrow()) {
      for (Cell cell : cells) {
        stream.add(cell);
      }
      List<PreparedFile> made = stream.finish(file, hfile);
      for (PreparedFile f : made) {
        f.close();
      }
      return made.size();
    }
  }

  /** Deletes all. */
  @TearDown
  public void tearDown() throws IOException {
    hfile.close();
    try (Stream<java.nio.file.Path> all = Files.walk(directory)) {
      for (java.nio.file.Path p : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(p);
      }
    }
  }
}
