package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.server.damage.Damage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Damages the index files of servers that have little memory, and that die when it runs out:
 * answers stay right, no server ends, and every index becomes active again. The regions stay, move,
 * open again, or the servers are killed and start with the damaged files.
 */
final class DamageLoop implements AutoCloseable {
  private static final int SERVERS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** All rows, by each index. */
  private static final List<String> ALL =
      List.of("price >= 0", "name >= 'n'", "amount >= 0", "price >= 0 AND amount > 250");

  private final Random random;
  private final CrashCluster cluster;
  private final CrashTable table;
  private int damages;

  DamageLoop(long seed) throws Exception {
    random = new Random(seed);
    cluster = new CrashCluster(SERVERS, "192m");
    table = new CrashTable(cluster, IndexKind.LOCAL);
    fill();
  }

  private void fill() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < CrashTable.ROWS; i++) {
      Put p = new Put(CrashTable.row(i));
      p.addColumn(CrashTable.FAMILY, CrashTable.PRICE, Bytes.toBytes((double) random.nextInt(240)));
      p.addColumn(CrashTable.FAMILY, CrashTable.NAMED, Bytes.toBytes("n" + random.nextInt(40)));
      p.addColumn(CrashTable.FAMILY, CrashTable.AMOUNT, Bytes.toBytes((long) random.nextInt(480)));
      puts.add(p);
    }
    try (Table t = cluster.connection().getTable(CrashTable.NAME);
        Admin admin = cluster.connection().getAdmin()) {
      t.put(puts);
      admin.flush(CrashTable.NAME);
    }
    active();
  }

  /** Damages, does something to the regions, and compares; again and again. */
  void run(int rounds) throws IOException {
    compare();
    for (int i = 0; i < rounds; i++) {
      switch (i % 4) {
        case 0 -> damage();
        case 1 -> restart();
        case 2 -> move();
        default -> reopen();
      }
      compare();
      active();
      compare();
      active();
    }
    restart();
    compare();
    active();
    IndexFilesOnDisk.awaitNoneLeftOver(cluster, table, Duration.ofSeconds(90));
  }

  /** One file of each pair, or neither. */
  private void damage() throws IOException {
    try (Stream<Path> all = Files.walk(cluster.indexes())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (random.nextInt(3) > 0 && name.endsWith(random.nextBoolean() ? ".ifile" : ".sfile")) {
          damage(file);
        }
      }
    }
  }

  private void damage(Path file) throws IOException {
    try {
      Files.write(file, Damage.random(Files.readAllBytes(file), random));
      damages++;
    } catch (NoSuchFileException e) {
      assertThat(file).as("swept meanwhile").doesNotExist();
    }
  }

  private void restart() throws IOException {
    for (int i = 0; i < SERVERS; i++) {
      cluster.kill9(i);
    }
    damage();
    for (int i = 0; i < SERVERS; i++) {
      cluster.start(i);
    }
    cluster.awaitServers();
    awaitAnswers();
  }

  private void move() throws IOException {
    damage();
    try (Admin admin = cluster.connection().getAdmin()) {
      for (HRegionLocation l : table.locations()) {
        int other = 1 - cluster.indexOf(l.getServerName());
        admin.move(l.getRegion().getEncodedNameAsBytes(), cluster.name(other));
      }
    }
    awaitAnswers();
  }

  private void reopen() throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.disableTable(CrashTable.NAME);
      damage();
      admin.enableTable(CrashTable.NAME);
    }
  }

  private void awaitAnswers() {
    await("all regions to answer")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> table.cells("price < 0", Attributes.PATH_SCAN));
  }

  private void compare() throws IOException {
    for (String where : ALL) {
      List<String> plain = table.cells(where, Attributes.PATH_SCAN);
      assertThat(plain).isNotEmpty();
      for (String index : CrashTable.INDEXES) {
        assertThat(table.cells(where, index)).as("%s by %s", where, index).isEqualTo(plain);
      }
    }
    cluster.requireAllAlive();
  }

  private void active() throws IOException {
    table.spyhop().admin().waitUntilActive(CrashTable.NAME, PATIENCE);
    cluster.requireAllAlive();
  }

  /** How many files were damaged. */
  int damages() {
    return damages;
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
