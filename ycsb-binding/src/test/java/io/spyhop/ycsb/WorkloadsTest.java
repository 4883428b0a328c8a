package io.spyhop.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
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
    DB db = db(properties);
    Workload workload = named(properties.getProperty("workload"), Workload.class);
    workload.init(properties);
    try {
      Object session = workload.initThread(properties, 0, 1);
      for (int i = 0; i < RECORDS; i++) {
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
