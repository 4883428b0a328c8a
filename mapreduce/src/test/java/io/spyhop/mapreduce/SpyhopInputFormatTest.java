package io.spyhop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Query;
import io.spyhop.client.RegionDecision;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of MapReduce, run in this JVM, over a table of ten regions. */
class SpyhopInputFormatTest {
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName NAME = TableName.valueOf("events");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 200;
  private static final int REGIONS = 10;

  @TempDir private static Path dir;
  private static Spyhop spyhop;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set("hbase.coprocessor.regionserver.classes", SpyhopRegionServer.class.getName());
    conf.set("hbase.coprocessor.master.classes", SpyhopMaster.class.getName());
    conf.set(SpyhopRpcSchedulerFactory.KEY, SpyhopRpcSchedulerFactory.class.getName());
    conf.set("spyhop.ifile.dir", dir.resolve("ifiles").toUri().toString());
    UTIL.startMiniCluster(1);
    spyhop = Spyhop.connect(UTIL.getConnection());
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = row(i * ROWS / REGIONS);
    }
    UTIL.createTable(NAME, F, splits).close();
    index("time", IndexKind.STATS);
    index("user", IndexKind.LOCAL);
    spyhop.admin().waitUntilActive(NAME, Duration.ofMinutes(1));
    write();
    UTIL.flush(NAME);
    spyhop.admin().waitUntilActive(NAME, Duration.ofMinutes(1));
  }

  @AfterAll
  static void stop() throws Exception {
    spyhop.close();
    UTIL.shutdownMiniCluster();
  }

  private static void index(String column, IndexKind kind) throws IOException {
    spyhop
        .admin()
        .createIndex(
            NAME,
            IndexDefinition.builder(column)
                .column("f:" + column)
                .type(ValueType.LONG)
                .kind(kind)
                .build());
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%04d", i));
  }

  /** Time goes with the row keys, users do not. */
  private static void write() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(row(i))
              .addColumn(F, Bytes.toBytes("time"), Bytes.toBytes(1_000L + i))
              .addColumn(F, Bytes.toBytes("user"), Bytes.toBytes((long) i % 7))
              .addColumn(F, Bytes.toBytes("text"), Bytes.toBytes("text " + i)));
    }
    try (Table table = UTIL.getConnection().getTable(NAME)) {
      table.put(puts);
    }
  }

  /** Writes each cell that it is given. */
  static final class CellMapper extends TableMapper<Text, Text> {
    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      for (Cell cell : row.rawCells()) {
        context.write(new Text(text(cell)), new Text());
      }
    }
  }

  /** Writes a cell of each row. */
  static final class TimeMapper extends TableMapper<Text, Text> {
    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      context.write(new Text(text(row.getColumnLatestCell(F, Bytes.toBytes("time")))), new Text());
    }
  }

  private static String text(Cell cell) {
    return cell + "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  private static Job job(String where, ColumnName... columns) throws IOException {
    return job(conf(), NAME, where, columns);
  }

  private static Configuration conf() {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.set("mapreduce.framework.name", "local");
    conf.setInt(Job.COMPLETION_POLL_INTERVAL_KEY, 50);
    conf.set("fs.defaultFS", "file:///");
    conf.set("mapreduce.cluster.local.dir", dir.resolve("mapred").toString());
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", dir.resolve("staging").toString());
    return conf;
  }

  private static Job job(Configuration conf, TableName table, String where, ColumnName... columns)
      throws IOException {
    SpyhopInputFormat.configure(conf, table, where, columns);
    Job job = Job.getInstance(conf);
    job.setInputFormatClass(SpyhopInputFormat.class);
    job.setMapperClass(CellMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    return job;
  }

  /** What mappers wrote, sorted: the framework chooses the order of the splits. */
  private static List<String> run(Job job, String name) throws Exception {
    Path out = dir.resolve(name);
    TextOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(out.toUri()));
    assertThat(job.waitForCompletion(false)).isTrue();
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(out)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
        Files.readAllLines(file).forEach(line -> lines.add(line.replaceFirst("\\t$", "")));
      }
    }
    lines.sort(Comparator.naturalOrder());
    return lines;
  }

  private static List<String> plain(String where) throws IOException {
    List<String> cells = new ArrayList<>();
    Query query = Query.where(where).hint("scan").pruning(false);
    try (RowCursor rows = spyhop.table(NAME).query(query)) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          cells.add(text(cell));
        }
      }
    }
    cells.sort(Comparator.naturalOrder());
    return cells;
  }

  @Test
  void regionsThatCannotMatchHaveNoSplit() throws Exception {
    String where = "time BETWEEN 1030 AND 1070";
    Job job = job(where);
    List<InputSplit> splits = splits(job);
    assertThat(splits).hasSize(3).isInstanceOf(ArrayList.class);
    assertThat(run(job, "some")).isEqualTo(plain(where)).hasSize(41 * 3);
  }

  @Test
  void rowsOfARangeAreRead() throws Exception {
    Configuration conf = conf();
    conf.set(SpyhopInputFormat.SCAN_ROW_START, Bytes.toString(row(50)));
    conf.set(SpyhopInputFormat.SCAN_ROW_STOP, Bytes.toString(row(60)));
    assertThat(run(job(conf, NAME, "time BETWEEN 1030 AND 1055"), "range")).hasSize(6 * 3);
  }

  @Test
  void whatStatisticsSayNothingOfIsReadWhole() throws Exception {
    String where = "user = 3 OR CAST(text AS STRING) = 'text 5'";
    Job job = job(where);
    assertThat(splits(job)).hasSize(REGIONS);
    assertThat(run(job, "all")).isEqualTo(plain(where)).isNotEmpty();
  }

  /** HBase's own arithmetic ends the table's last split before keys that begin with 0xFF. */
  @Test
  void mappersOfARegionReadAllOfIt() throws Exception {
    TableName name = TableName.valueOf("odd");
    byte[] q = Bytes.toBytes("time");
    try (Table table = UTIL.createTable(name, F, new byte[][] {{1}, {(byte) 0xFF, 1}})) {
      for (int first : new int[] {0, 1, 0x7F, 0xFE, 0xFF}) {
        for (int last : new int[] {0, 1, 0xFE, 0xFF}) {
          byte[] row = {(byte) first, (byte) last};
          table.put(new Put(row).addColumn(F, q, Bytes.toBytes(1L)));
        }
        table.put(new Put(new byte[] {(byte) first}).addColumn(F, q, Bytes.toBytes(1L)));
      }
    }
    for (int mappers = 1; mappers < 5; mappers++) {
      Configuration conf = conf();
      conf.setInt(SpyhopInputFormat.NUM_MAPPERS_PER_REGION, mappers);
      Job job = job(conf, name, "CAST(time AS LONG) = 1");
      assertThat(splits(job)).hasSizeBetween(3, 3 * mappers);
      assertThat(run(job, "odd" + mappers)).hasSize(25);
    }
  }

  /** As many rows as one call asks for would be all of them; their bytes are what bounds it. */
  @Test
  void callsOfWideRowsAreBoundedByBytes() throws Exception {
    TableName name = TableName.valueOf("wide");
    int width = 1 << 20;
    int rows = 12;
    try (Table table = UTIL.createTable(name, F)) {
      for (int i = 0; i < rows; i++) {
        Put put = new Put(row(i)).addColumn(F, Bytes.toBytes("time"), Bytes.toBytes(1L));
        table.put(put.addColumn(F, Bytes.toBytes("value"), new byte[width]));
      }
    }
    Job job = job(conf(), name, "CAST(time AS LONG) = 1");
    job.setMapperClass(TimeMapper.class);
    assertThat(run(job, "wide")).hasSize(rows);
    CounterGroup counters = job.getCounters().getGroup("HBaseCounters");
    assertThat(counters.findCounter("BYTES_IN_RESULTS").getValue())
        .isGreaterThan((long) rows * width);
    assertThat(counters.findCounter("RPC_CALLS").getValue()).isGreaterThan(rows / 4);
  }

  @Test
  void nothingMatches() throws Exception {
    Job job = job("time > 5000");
    assertThat(splits(job)).isEmpty();
    assertThat(run(job, "none")).isEmpty();
  }

  @Test
  void columnsOfTheConditionComeAlong() throws Exception {
    Job job = job("time = 1042", ColumnName.parse("f:text"));
    assertThat(run(job, "columns"))
        .hasSize(2)
        .anySatisfy(cell -> assertThat(cell).contains("f:text").endsWith("=text 42"))
        .anySatisfy(cell -> assertThat(cell).contains("f:time"));
  }

  @Test
  void badInput() throws IOException {
    assertThatThrownBy(() -> job("time >")).isInstanceOf(InvalidQueryException.class);
    assertThatThrownBy(() -> job("nobody = 1")).hasMessageContaining("nobody");
    Job without = Job.getInstance(UTIL.getConfiguration());
    assertThatThrownBy(() -> splits(without)).hasMessageContaining("SpyhopInputFormat.configure");
  }

  /** As the framework asks. */
  private static List<InputSplit> splits(Job job) throws IOException {
    SpyhopInputFormat format = new SpyhopInputFormat();
    if (job.getConfiguration().get(SpyhopInputFormat.WHERE) != null) {
      format.setConf(job.getConfiguration());
    }
    return format.getSplits(job);
  }

  private static RegionDecision decision(String start, String end, ScanState state) {
    return new RegionDecision("r", Bytes.toBytes(start), Bytes.toBytes(end), state, "", "");
  }

  private static boolean mayMatch(String start, String end, RegionDecision... decisions) {
    return SpyhopInputFormat.mayMatch(Bytes.toBytes(start), Bytes.toBytes(end), List.of(decisions));
  }

  @Test
  void whatNothingIsKnownOfIsRead() {
    RegionDecision first = decision("", "c", ScanState.NR);
    RegionDecision second = decision("c", "f", ScanState.NR);
    RegionDecision third = decision("f", "", ScanState.RSM);
    assertThat(mayMatch("", "")).isTrue();
    assertThat(mayMatch("", "c", first, second, third)).isFalse();
    assertThat(mayMatch("a", "e", first, second, third)).isFalse();
    assertThat(mayMatch("a", "f", first, second, third)).isFalse();
    assertThat(mayMatch("a", "g", first, second, third)).isTrue();
    assertThat(mayMatch("a", "", first, second, third)).isTrue();
    assertThat(mayMatch("a", "e", second, third)).isTrue();
    assertThat(mayMatch("d", "", decision("c", "", ScanState.NR))).isFalse();
  }
}
