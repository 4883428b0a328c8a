package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table that is written while servers are restarted with other versions, and is asked by programs
 * with clients of several versions. Not thread-safe.
 */
final class UpgradedTable {
  private static final Logger LOG = LoggerFactory.getLogger(UpgradedTable.class);
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 2_000;

  private final Random random = new Random(Long.getLong("spyhop.seed", 1));
  private final CrashCluster cluster;
  private final List<String> clients;
  private int indexes;
  private volatile boolean writing;

  /** A question, and what it means without any index. */
  private record Asked(String where, Predicate<Result> matches) {}

  private static final List<Asked> QUESTIONS =
      List.of(
          new Asked("price BETWEEN 100 AND 140", r -> in(r, "price", 100, 140)),
          new Asked("name = 'n3'", r -> "n3".equals(text(r, "name"))),
          new Asked("day BETWEEN 990 AND 1000", r -> in(r, "day", 990, 1000)),
          new Asked(
              "name = 'n7' AND price < 500",
              r -> "n7".equals(text(r, "name")) && in(r, "price", 0, 499)));

  private static boolean in(Result r, String column, long from, long to) {
    byte[] value = r.getValue(FAMILY, Bytes.toBytes(column));
    return value != null && Bytes.toLong(value) >= from && Bytes.toLong(value) <= to;
  }

  private static String text(Result r, String column) {
    return Bytes.toString(r.getValue(FAMILY, Bytes.toBytes(column)));
  }

  /**
   * Creates the table and its first indexes, and writes.
   *
   * @param clients class paths of clients; the first one's creates the indexes
   */
  UpgradedTable(CrashCluster cluster, List<String> clients) throws Exception {
    this.cluster = cluster;
    this.clients = clients;
    createTable();
    write(4_000);
    assertThat(client(clients.get(0), "create")).containsExactly("created 3");
    indexes = 3;
  }

  /** Adds an index. */
  void index(Spyhop spyhop, IndexDefinition index) throws IOException {
    spyhop.admin().createIndex(UpgradeClient.TABLE, index);
    indexes++;
  }

  private void createTable() throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(UpgradeClient.TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          new byte[][] {row(500), row(1000), row(1500)});
      admin.balancerSwitch(false, true);
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%04d", i));
  }

  /** Something that takes servers away while writes go on. */
  @FunctionalInterface
  interface Restart {
    void run() throws IOException;
  }

  /** Writes while servers are restarted, and then asks as {@link #check} does. */
  void restarted(String stage, boolean mixed, Restart restart) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    writing = true;
    Thread writer =
        new Thread(
            () -> {
              try {
                while (writing) {
                  write(200);
                }
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    writer.start();
    restart.run();
    writing = false;
    writer.join();
    assertThat(failure.get()).as(stage).isNull();
    check(stage, mixed);
  }

  /** Puts of whole rows and of parts, and deletes. */
  private void write(int count) throws IOException, InterruptedException {
    List<Row> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] row = row(random.nextInt(ROWS));
      if (random.nextInt(12) == 0) {
        batch.add(new Delete(row));
        continue;
      }
      Put put = new Put(row);
      put.addColumn(FAMILY, Bytes.toBytes("price"), Bytes.toBytes((long) random.nextInt(1000)));
      if (random.nextBoolean()) {
        put.addColumn(FAMILY, Bytes.toBytes("name"), Bytes.toBytes("n" + random.nextInt(10)));
      }
      put.addColumn(FAMILY, Bytes.toBytes("day"), Bytes.toBytes((long) random.nextInt(1000)));
      batch.add(put);
    }
    try (Table table = cluster.connection().getTable(UpgradeClient.TABLE)) {
      for (int i = 0; i < batch.size(); i += 50) {
        List<Row> some = batch.subList(i, Math.min(i + 50, batch.size()));
        table.batch(some, new Object[some.size()]);
      }
    }
  }

  /**
   * Compares what each client's programs are told with what the rows say, and has them create and
   * drop indexes.
   *
   * @param mixed whether servers of both versions run, of which the older ones do not note which
   *     regions they have: then a new global index is not believed
   */
  void check(String stage, boolean mixed) throws Exception {
    List<Result> rows = new ArrayList<>();
    try (Table table = cluster.connection().getTable(UpgradeClient.TABLE);
        ResultScanner scan = table.getScanner(new Scan().setCaching(1000))) {
      scan.forEach(rows::add);
    }
    List<String> expected = new ArrayList<>();
    List<String> arguments = new ArrayList<>(List.of("ask"));
    for (Asked q : QUESTIONS) {
      arguments.add(q.where());
      List<String> matching =
          rows.stream().filter(q.matches()).map(r -> Bytes.toString(r.getRow())).toList();
      expected.add(q.where() + ": true " + String.join(" ", matching));
    }
    for (int i = 0; i < clients.size(); i++) {
      String name = stage + ", client " + i;
      String classPath = clients.get(i);
      assertThat(client(classPath, arguments.toArray(String[]::new))).as(name).isEqualTo(expected);
      assertThat(client(classPath, "verify")).as(name).containsExactly("missing 0");
      assertThat(client(classPath, mixed ? "ddl-mixed" : "ddl", "x"))
          .as(name)
          .containsExactly("status " + (indexes + 2), "left " + indexes);
      LOG.warn("{}: {} rows, answers are right", name, rows.size());
    }
    cluster.requireAllAlive();
  }

  /** What a program with a client prints. */
  private List<String> client(String classPath, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : List.of("lang", "lang.reflect", "nio")) {
      command.addAll(List.of("--add-opens", "java.base/java." + opened + "=ALL-UNNAMED"));
    }
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath,
            UpgradeClient.class.getName(),
            String.valueOf(cluster.zooKeeperPort())));
    command.addAll(List.of(arguments));
    File output = File.createTempFile("upgrade-client", ".out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(String.join(" ", arguments)).isTrue();
    List<String> lines = Files.readAllLines(output.toPath());
    assertThat(process.exitValue()).as("%s", lines).isZero();
    Files.delete(output.toPath());
    return lines.stream().filter(l -> l.startsWith("> ")).map(l -> l.substring(2)).toList();
  }
}
