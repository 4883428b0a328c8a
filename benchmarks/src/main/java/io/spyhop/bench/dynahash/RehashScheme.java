package io.spyhop.bench.dynahash;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Parallel;
import io.spyhop.bench.Tables;
import io.spyhop.core.bucket.BucketHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The paper's baseline: a row is on the server that the hash of its key says, modulo the number of
 * servers. Each server has one region, led by its number in one byte. When servers go or come all
 * rows are copied into a new table, which takes the old one's place. Not thread-safe.
 */
final class RehashScheme implements Scheme {
  private static final int BATCH = 1_000;
  private static final int PREFIX = 1;

  private final Scene scene;
  private List<ServerName> servers = List.of();
  private int generation;

  RehashScheme(Scene scene) {
    this.scene = scene;
  }

  @Override
  public String name() {
    return "rehash";
  }

  private TableName table() {
    return TableName.valueOf("rehash_" + generation);
  }

  @Override
  public void load() throws IOException {
    servers = List.copyOf(scene.servers());
    create();
    try (Table table = scene.connection().getTable(table())) {
      List<Put> batch = new ArrayList<>();
      for (long row : Rows.shuffled(scene.rows())) {
        batch.add(Rows.put(row, stored(Rows.key(row), servers.size())));
        if (batch.size() == BATCH) {
          table.put(batch);
          batch.clear();
        }
      }
      table.put(batch);
    }
    settle();
  }

  private static byte[] stored(byte[] key, int servers) {
    int server = Math.floorMod(BucketHash.MURMUR3_32.of(key), servers);
    return Bytes.add(new byte[] {(byte) server}, key);
  }

  /** Makes the table, each region on its server before it has rows. */
  private void create() throws IOException {
    byte[][] splits = new byte[servers.size() - 1][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = new byte[] {(byte) (i + 1)};
    }
    try (Admin admin = scene.connection().getAdmin()) {
      admin.createTable(Rows.table(table()).build(), splits.length == 0 ? null : splits);
      List<RegionInfo> regions = new ArrayList<>(admin.getRegions(table()));
      regions.sort(RegionInfo.COMPARATOR);
      for (int i = 0; i < regions.size(); i++) {
        if (!admin.getRegions(servers.get(i)).contains(regions.get(i))) {
          admin.move(regions.get(i).getEncodedNameAsBytes(), servers.get(i));
        }
      }
    }
    scene.spyhop().admin().createIndexes(table(), List.of(Rows.index()));
  }

  private void settle() throws IOException {
    Tables.flush(scene.connection(), table());
    scene.awaitIndex(table());
  }

  @Override
  public Outcome spread(Set<ServerName> staying) throws IOException {
    long least = least(staying);
    TableName old = table();
    int before = servers.size();
    long start = System.nanoTime();
    servers = List.copyOf(new TreeSet<>(staying));
    generation++;
    create();
    copy(old, before);
    settle();
    double seconds = Numbers.secondsSince(start);
    Tables.drop(scene.connection(), old);
    IndexFiles files = IndexFiles.of(scene.connection(), table());
    boolean equal =
        Rows.asked(scene.rows()).equals(Answers.of(scene.spyhop(), table(), Rows.query(), PREFIX))
            && Rows.all(scene.rows()).equals(all());
    return new Outcome(
        seconds,
        Journal.tableBytes(scene.connection().getConfiguration(), table()) + files.total(),
        least,
        balance(files, staying),
        files.missing(),
        0,
        0,
        equal);
  }

  /**
   * What a scheme would have to move that could cut where it likes: the index files of the servers
   * that go, and for those that come their share of all.
   */
  private long least(Set<ServerName> staying) throws IOException {
    IndexFiles files = IndexFiles.of(scene.connection(), table());
    double share = (double) files.total() / staying.size();
    double bytes = 0;
    for (Map.Entry<ServerName, List<Long>> server : files.bytes().entrySet()) {
      long has = server.getValue().stream().mapToLong(Long::longValue).sum();
      bytes += staying.contains(server.getKey()) ? Math.max(0, has - share) : has;
    }
    return Math.round(bytes);
  }

  /** All regions side by side. */
  private void copy(TableName old, int regions) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(regions);
    try {
      List<Callable<Void>> copies = new ArrayList<>();
      for (int i = 0; i < regions; i++) {
        byte[] from = {(byte) i};
        byte[] to = {(byte) (i + 1)};
        copies.add(() -> copy(old, new Scan().withStartRow(from).withStopRow(to)));
      }
      Parallel.all(threads, copies);
    } finally {
      threads.shutdownNow();
    }
  }

  private Void copy(TableName old, Scan scan) throws IOException {
    try (Table from = scene.connection().getTable(old);
        Table to = scene.connection().getTable(table());
        ResultScanner scanner = from.getScanner(scan.setCaching(BATCH))) {
      for (Result[] some = scanner.next(BATCH); some.length > 0; some = scanner.next(BATCH)) {
        List<Put> batch = new ArrayList<>();
        for (Result row : some) {
          batch.add(moved(row));
        }
        to.put(batch);
      }
    }
    return null;
  }

  private Put moved(Result row) {
    byte[] key = Arrays.copyOfRange(row.getRow(), PREFIX, row.getRow().length);
    Put put = new Put(stored(key, servers.size()));
    row.getFamilyMap(Rows.FAMILY).forEach((name, value) -> put.addColumn(Rows.FAMILY, name, value));
    return put;
  }

  private Rows.Digest all() throws IOException {
    try (Table table = scene.connection().getTable(table())) {
      return Answers.of(table.getScanner(new Scan()), PREFIX);
    }
  }

  /** By regions, which all have the same share of the hashes. */
  private static double balance(IndexFiles files, Set<ServerName> staying) {
    int most = files.bytes().values().stream().mapToInt(List::size).max().orElse(0);
    int all = files.bytes().values().stream().mapToInt(List::size).sum();
    return Numbers.rounded((double) most * staying.size() / all);
  }
}
