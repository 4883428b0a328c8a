package io.spyhop.server.crash;

import static org.awaitility.Awaitility.await;

import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults that all regions of a table have at once: they fill no log, and a NameNode that is away
 * costs no write. Run by {@code scripts/fault-logs}; not part of an ordinary run.
 */
@Tag("soak")
class FaultLogsTest {
  private static final Logger LOG = LoggerFactory.getLogger(FaultLogsTest.class);
  private static final TableName NAME = TableName.valueOf("faults");
  private static final TableName INDEX = IndexTable.nameOf(NAME, "v");
  private static final RegionInfo META = RegionInfoBuilder.FIRST_META_REGIONINFO;
  private static final byte[] F = Bytes.toBytes("f");
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration FAULT = Duration.ofSeconds(60);
  private static final int REGIONS = Integer.getInteger("spyhop.regions", 200);
  private static final int WRITE_MILLIS = 2_000;

  /** So few writes that nothing is flushed: that fails without a NameNode, and ends a server. */
  private static final long PAUSE_NANOS = 100_000_000;

  private final TreeMap<String, Long> refused = new TreeMap<>();
  private final SoftAssertions all = new SoftAssertions();
  private int writes;

  /** A thing that is done to a cluster. */
  @FunctionalInterface
  private interface Fault {
    void run() throws Exception;
  }

  @Test
  void oneLineForACauseATableAndAMinute() throws Exception {
    try (CrashCluster cluster = new CrashCluster(2, "1g", Map.of("spyhop.sweep.ms", "120000"));
        Spyhop spyhop = Spyhop.connect(cluster.connection());
        Admin admin = cluster.connection().getAdmin()) {
      create(cluster, admin, spyhop);
      ServerLogs logs = new ServerLogs(cluster.logs());
      logged(
          logs,
          "the index table is away",
          () -> {
            admin.disableTable(INDEX);
            write(cluster, FAULT);
            admin.enableTable(INDEX);
            spyhop.admin().waitUntilActive(NAME, PATIENCE);
          });
      refused.clear();
      logged(
          logs,
          "the NameNode is away",
          () -> {
            cluster.stopNameNode();
            write(cluster, FAULT);
            cluster.startNameNode();
          });
      all.assertThat(refused).as("writes refused while the NameNode is away").isEmpty();
      logged(
          logs,
          "all regions open again",
          () -> {
            admin.disableTable(NAME);
            admin.enableTable(NAME);
            spyhop.admin().waitUntilActive(NAME, PATIENCE);
          });
      logged(logs, "a server is lost", () -> lose(cluster, admin, spyhop));
      await("hbase:meta to be on the server that is lost next")
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(
              () -> {
                admin.move(META.getEncodedNameAsBytes(), cluster.name(1));
                return admin.getRegions(cluster.name(1)).contains(META);
              });
      logged(logs, "hbase:meta's server is lost", () -> lose(cluster, admin, spyhop));
      all.assertAll();
    }
  }

  private static void lose(CrashCluster cluster, Admin admin, Spyhop spyhop) throws IOException {
    cluster.kill9(1);
    await("the end").atMost(PATIENCE).ignoreExceptions().until(() -> !cluster.isListed(1));
    await("the regions")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> admin.getRegions(cluster.name(0)).size() > REGIONS);
    spyhop.admin().waitUntilActive(NAME, PATIENCE);
    cluster.start(1);
    cluster.awaitServers();
  }

  private static void create(CrashCluster cluster, Admin admin, Spyhop spyhop) throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = row(i);
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build(),
        splits);
    for (IndexKind kind : new IndexKind[] {IndexKind.GLOBAL, IndexKind.LOCAL, IndexKind.STATS}) {
      String name = kind == IndexKind.GLOBAL ? "v" : kind.name();
      spyhop
          .admin()
          .createIndex(
              NAME,
              IndexDefinition.builder(name)
                  .kind(kind)
                  .column("f:" + name)
                  .type(ValueType.LONG)
                  .build());
    }
    try (BufferedMutator all = cluster.connection().getBufferedMutator(NAME)) {
      for (int i = 0; i < REGIONS; i++) {
        all.mutate(put(i, 1));
      }
    }
    admin.flush(NAME);
    spyhop.admin().waitUntilActive(NAME, PATIENCE);
  }

  private static Put put(int region, long value) {
    Put put = new Put(row(region));
    for (String column : new String[] {"v", "LOCAL", "STATS"}) {
      put.addColumn(F, Bytes.toBytes(column), Bytes.toBytes(value));
    }
    return put;
  }

  private static byte[] row(int region) {
    return Bytes.toBytes(String.format("%04d", region));
  }

  /** Writes to all regions in turn, for so long. */
  private void write(CrashCluster cluster, Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    try (Table table =
        cluster
            .connection()
            .getTableBuilder(NAME, null)
            .setOperationTimeout(WRITE_MILLIS)
            .setRpcTimeout(WRITE_MILLIS)
            .build()) {
      while (System.nanoTime() < end) {
        writes++;
        LockSupport.parkNanos(PAUSE_NANOS);
        try {
          table.put(put(writes % REGIONS, writes));
        } catch (IOException e) {
          refused.merge(String.valueOf(e.getMessage()), 1L, Long::sum);
        }
      }
    }
  }

  private void logged(ServerLogs logs, String what, Fault fault) throws Exception {
    logs.begin();
    long begun = System.nanoTime();
    int before = writes;
    fault.run();
    double minutes = (System.nanoTime() - begun) / 60e9;
    ServerLogs.Count count = logs.count();
    LOG.warn(
        "{}: {} lines and {} lines of stacks in {} minutes, {} writes, {} refused\n{}",
        what,
        count.lines(),
        count.stacks(),
        String.format("%.1f", minutes),
        writes - before,
        refused.values().stream().mapToLong(Long::longValue).sum(),
        count.examples());
    int most = (int) (ServerLogs.KINDS * (1 + minutes));
    all.assertThat(count.lines()).as("lines while %s: %s", what, count.examples()).isLessThan(most);
    all.assertThat(count.stacks()).as("stacks while %s: %s", what, count.examples()).isZero();
  }
}
