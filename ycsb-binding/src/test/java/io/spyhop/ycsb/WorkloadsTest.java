package io.spyhop.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;

/** Every workload file against a live server, with data verified, and what each refuses. */
class WorkloadsTest {
  private static final int RECORDS = 400;

  @TempDir private static Path indexes;
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set("hbase.coprocessor.regionserver.classes", SpyhopRegionServer.class.getName());
    conf.set("hbase.coprocessor.master.classes", SpyhopMaster.class.getName());
    conf.set(SpyhopRpcSchedulerFactory.KEY, SpyhopRpcSchedulerFactory.class.getName());
    conf.set("spyhop.ifile.dir", indexes.toUri().toString());
    // A mini cluster gives each server a user of its own.
    String user = System.getProperty("user.name");
    conf.set("hbase.superuser", user + "," + user + ".hfs.0");
    UTIL.startMiniCluster(1);
  }

  @AfterAll
  static void stop() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  private static Properties properties(String workload) throws Exception {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(Path.of("workloads", workload))) {
      properties.load(in);
    }
    properties.setProperty("recordcount", String.valueOf(RECORDS));
    properties.setProperty("spyhop.values", "40");
    properties.setProperty("fieldlength", "20");
    Configuration conf = UTIL.getConfiguration();
    for (String name :
        new String[] {HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT}) {
      properties.setProperty(name, conf.get(name));
    }
    return properties;
  }

  private static <T> T named(String name, Class<T> type) throws Exception {
    return Class.forName(name).asSubclass(type).getConstructor().newInstance();
  }

  private static DB db(Properties properties) throws Exception {
    DB db = named(properties.getProperty("db"), DB.class);
    db.setProperties(properties);
    db.init();
    return db;
  }

  /** Loads, then runs, as YCSB does with one thread; each operation must be right. */
  private static void run(Properties properties, int operations) throws Exception {
    YcsbMain.check(properties);
    Measurements.setProperties(properties);
    Workload workload = named(properties.getProperty("workload"), Workload.class);
    workload.init(properties);
    DB db = db(properties);
    try {
      Object session = workload.initThread(properties, 0, 1);
      int records = Integer.parseInt(properties.getProperty("recordcount"));
      for (int i = 0; i < records; i++) {
        assertThat(workload.doInsert(db, session)).as("record %s", i).isTrue();
      }
      for (int i = 0; i < operations; i++) {
        assertThat(workload.doTransaction(db, session)).as("operation %s", i).isTrue();
      }
    } finally {
      workload.cleanup();
      db.cleanup();
    }
  }

  private static void load(Properties properties) throws Exception {
    run(properties, 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"workloada", "workloadb", "workloadc", "workloadd", "workloade", "workloadf"})
  void coreWorkloads(String file) throws Exception {
    Properties properties = properties(file);
    properties.setProperty("table", file);
    run(properties, 100);
    assertThat(Measurements.getMeasurements().getSummary()).doesNotContain("UNEXPECTED", "ERROR");
  }

  @ParameterizedTest
  @CsvSource({
    "deli, global, deferred",
    "deli, global, sync",
    "deli, local, deferred",
    "mdrq, local, deferred",
    "mdrq, none, deferred",
    "mdrq, global, deferred",
    "batchrange, stats, deferred",
    "batchrange, local, deferred"
  })
  void workloadsByValue(String file, String index, String maintenance) throws Exception {
    Properties properties = properties(file);
    properties.setProperty("table", file + "_" + index + "_" + maintenance);
    properties.setProperty("spyhop.index", index);
    properties.setProperty("spyhop.maintenance", maintenance);
    properties.setProperty("spyhop.readproportion", "0.5");
    properties.setProperty("spyhop.selectivity", "0.4");
    properties.setProperty("spyhop.batch", "3");
    run(properties, 60);
  }

  /** Verifying must be able to fail. */
  @Test
  void wrongDataIsFound() throws Exception {
    Properties properties = properties("mdrq");
    properties.setProperty("table", "wrong");
    properties.setProperty("spyhop.selectivity", "1");
    run(properties, 1);
    try (Table table = UTIL.getConnection().getTable(TableName.valueOf("wrong"))) {
      byte[] key = Bytes.toBytes(HashedKeys.key(7));
      byte[] family = Bytes.toBytes("f");
      table.put(new Put(key).addColumn(family, Bytes.toBytes("d1"), Bytes.toBytes(3L)));
    }
    MdrqWorkload workload = new MdrqWorkload();
    workload.init(properties);
    try {
      assertThat(UTIL.getMiniHBaseCluster().getRegions(TableName.valueOf("wrong")))
          .as("all that was loaded is in files, where local indexes have it")
          .allMatch(region -> region.getMemStoreDataSize() == 0);
      Object session = workload.initThread(properties, 0, 1);
      assertThat(workload.doTransaction(null, session)).isFalse();
    } finally {
      workload.cleanup();
    }
  }

  @Test
  void theDatabaseReadsWhatItWrites() throws Exception {
    Properties properties = properties("workloada");
    properties.setProperty("table", "direct");
    properties.setProperty("clientbuffering", "true");
    DB db = db(properties);
    try {
      for (String key : new String[] {"a", "b", "c"}) {
        Map<String, ByteIterator> fields = new HashMap<>();
        fields.put("x", new ByteArrayByteIterator(Bytes.toBytes(key)));
        assertThat(db.insert("direct", key, fields)).isEqualTo(Status.BATCHED_OK);
      }
      assertThat(db.delete("direct", "b")).isEqualTo(Status.BATCHED_OK);
    } finally {
      db.cleanup();
    }
    properties.setProperty("clientbuffering", "false");
    DB reader = db(properties);
    try {
      Map<String, ByteIterator> row = new HashMap<>();
      assertThat(reader.read("direct", "a", null, row)).isEqualTo(Status.OK);
      assertThat(row.get("x")).hasToString("a");
      assertThat(reader.read("direct", "b", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
      Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
      assertThat(reader.scan("direct", "a", 10, null, rows)).isEqualTo(Status.OK);
      assertThat(rows).hasSize(2);
      assertThat(reader.read("absent", "a", null, new HashMap<>())).isEqualTo(Status.ERROR);
    } finally {
      reader.cleanup();
    }
  }

  /** A run of YCSB's client in a process of its own, as {@code bin/ycsb} starts it. */
  private record Ended(int status, String said) {}

  private static Ended client(String phase, Properties properties, String... more)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dspyhop.fork=-ycsb",
                "-cp",
                System.getProperty("java.class.path"),
                YcsbMain.class.getName()));
    command.addAll(arguments(phase, properties, more));
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }

  private static List<String> arguments(String phase, Properties properties, String... more) {
    List<String> all = new ArrayList<>(List.of(phase));
    properties.forEach((name, value) -> all.addAll(List.of("-p", name + "=" + value)));
    all.addAll(List.of(more));
    return all;
  }

  private static Properties small(String workload, String table) throws Exception {
    Properties properties = properties(workload);
    properties.setProperty("recordcount", "20");
    properties.setProperty("operationcount", "20");
    properties.setProperty("table", table);
    return properties;
  }

  /** A user's mistake, or what the cluster refuses: one line that says why. */
  private static void assertRefused(
      String line, String phase, Properties properties, String... more) {
    assertThat(YcsbMain.obstacle(arguments(phase, properties, more).toArray(String[]::new)))
        .hasValueSatisfying(said -> assertThat(said).contains(line).doesNotContain("\n"));
  }

  @Test
  void whatEndsWellEndsWithStatusZero() throws Exception {
    Properties properties = small("mdrq", "well");
    for (String phase : List.of("-load", "-t")) {
      Ended ended = client(phase, properties);
      assertThat(ended.status()).as("%s: %s", phase, ended.said()).isZero();
      assertThat(ended.said()).doesNotContain("spyhop-ycsb: ");
    }
  }

  @Test
  void operationsThatFailAreNamedAndTheStatusSaysIt() throws Exception {
    Properties properties = small("workloada", "failing");
    properties.setProperty("readproportion", "1");
    properties.setProperty("updateproportion", "0");
    load(properties);
    try (Admin admin = UTIL.getConnection().getAdmin()) {
      admin.disableTable(TableName.valueOf("failing"));
    }
    assertRefused("table 'failing' is disabled", "-t", properties);
    try (Admin admin = UTIL.getConnection().getAdmin()) {
      admin.enableTable(TableName.valueOf("failing"));
    }
    properties.setProperty("recordcount", "40");
    properties.setProperty("requestdistribution", "uniform");
    Ended ended = client("-t", properties);
    assertThat(ended.said())
        .containsPattern("spyhop-ycsb: READ ended as NOT_FOUND (once|\\d+ times)");
    assertThat(ended.said())
        .containsPattern("spyhop-ycsb: VERIFY ended as ERROR (once|\\d+ times)");
    assertThat(ended.status()).isEqualTo(1);
  }

  @Test
  void answersThatAreWrongAreNamedAndTheStatusSaysIt() throws Exception {
    Properties properties = small("mdrq", "more");
    properties.setProperty("spyhop.selectivity", "1");
    load(properties);
    properties.setProperty("recordcount", "21");
    Ended ended = client("-t", properties, "-threads", "2");
    assertThat(ended.said())
        .contains("MDRQ of table more")
        .contains("it has 20 rows, not the 21 expected ones; are all 21 records loaded?")
        .contains("spyhop-ycsb: MDRQ ended as UNEXPECTED_STATE 2 times");
    assertThat(ended.status()).isEqualTo(1);
  }

  @Test
  void tablesThatAreNotThereAreNamed() throws Exception {
    for (String file : List.of("workloada", "mdrq")) {
      Properties properties = small(file, "nowhere");
      properties.setProperty("spyhop.create", "false");
      assertRefused("table 'nowhere' is not there", "-load", properties);
    }
    Properties properties = small("workloada", "families");
    load(properties);
    properties.setProperty("columnfamily", "g");
    assertRefused("table 'families' has no family 'g'", "-load", properties);
  }

  @Test
  void indexesOfAnotherKindAreNamed() throws Exception {
    Properties properties = small("deli", "kinds");
    properties.setProperty("spyhop.index", "local");
    load(properties);
    for (String kind : List.of("global", "none")) {
      properties.setProperty("spyhop.index", kind);
      assertRefused(
          "index 'v' of table 'kinds' is local, and spyhop.index=" + kind, "-t", properties);
    }
    properties.setProperty("spyhop.index", "local");
    properties.setProperty("spyhop.create", "false");
    run(properties, 1);
    properties.setProperty("table", "unindexed");
    properties.setProperty("spyhop.create", "true");
    properties.setProperty("spyhop.index", "none");
    load(properties);
    properties.setProperty("spyhop.create", "false");
    properties.setProperty("spyhop.index", "global");
    assertRefused("table 'unindexed' has no index of column f:v", "-t", properties);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-p threadcount=x | threadcount=x is not a whole number from 1",
        "-p threadcount=0 | threadcount=0 is not a whole number from 1",
        "-threads many | threadcount=many is not a whole number from 1",
        "-p target=-1 | target=-1 is not a whole number from 0",
        "-p operationcount=1e3 | operationcount=1e3 is not a whole number from 0",
        "-p recordcount=all | recordcount=all is not a whole number from 0",
        "-p fieldcount=1.5 | fieldcount=1.5 is not a whole number from 1",
        "-p readproportion=half | readproportion=half is not a number from 0",
        "-p requestdistribution=even | even",
        "-p workload=no.such.Workload | workload=no.such.Workload is not a class",
        "-p exporter=no.such.Exporter | exporter=no.such.Exporter is not a class",
        "-p table=a:b:c | table=a:b:c is not a table's name",
        "-p recordcount | -p recordcount has no value: write NAME=VALUE",
        "-p | -p has no value",
        "-S | unknown option -S",
        "10 | unknown option 10",
        "-P none/such | none/such",
      })
  void wrongArgumentsAreNamed(String arguments, String line) {
    String usual = "-db io.spyhop.ycsb.SpyhopClient -P workloads/workloada ";
    assertThatThrownBy(() -> YcsbMain.check(YcsbMain.properties((usual + arguments).split(" "))))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining(line);
  }

  @Test
  void wrongArgumentsAreOneLine() throws Exception {
    Properties properties = small("workloada", "arguments");
    assertRefused("there is no file none/such", "-load", properties, "-P", "none/such");
    Ended ended = client("-load", properties, "-p", "threadcount=x");
    assertThat(ended.said())
        .contains("property threadcount=x is not a whole number from 1")
        .doesNotContain("\tat ")
        .doesNotContain("Starting test");
    assertThat(ended.said().lines().filter(l -> l.startsWith("spyhop-ycsb: "))).hasSize(1);
    assertThat(ended.status()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mdrq | spyhop.dimension | 3 | unknown properties [spyhop.dimension]; known are [",
        "mdrq | spyhop.dimensions | many | spyhop.dimensions=many is not a whole number from 1",
        "mdrq | spyhop.selectivity | 2 | spyhop.selectivity=2 is not a number from 0 to 1",
        "mdrq | spyhop.index | loca | spyhop.index=loca is not none or one of local, global, stats",
        "mdrq | columnfamily | '' | columnfamily is missing",
        "deli | spyhop.maintenance | lazy | spyhop.maintenance=lazy is not one of deferred, sync",
        "deli | recordcount | 0 | recordcount=0 is not a whole number from 1",
        "batchrange | spyhop.consistency | x | spyhop.consistency=x is not a consistency",
        "workloada | durability | NEVER | durability=NEVER is not one of",
        "workloada | clientbuffering | maybe | clientbuffering=maybe is not true or false"
      })
  void wrongPropertiesAreNamed(String file, String name, String value, String message)
      throws Exception {
    Properties properties = properties(file);
    properties.setProperty(name, value);
    assertThatThrownBy(() -> YcsbMain.check(properties))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining(message);
  }
}
