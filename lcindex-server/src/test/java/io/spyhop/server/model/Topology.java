package io.spyhop.server.model;

import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.ServerWithoutSpyhop;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/** Operations on whole regions. */
final class Topology {
  private static final int MAX_REGIONS = Operation.REGIONS + 3;

  private final TestCluster cluster;
  private final TableName table;
  private final Overlap overlap;
  private final boolean restless;
  private final Optional<ModelBuckets> buckets;

  /** A move that nobody has waited for yet, or null. */
  private Future<Void> moving;

  /** Makes HFiles that share rows. */
  @FunctionalInterface
  interface Overlap {
    void make(Random r) throws IOException;
  }

  /** Of a table whose regions are split and merged as they are. */
  Topology(TestCluster cluster, TableName table) {
    this(cluster, table, r -> {}, ModelClusters.isRestless(), Optional.empty());
  }

  /**
   * @param overlap makes HFiles before a split or merge, whose references then share rows
   * @param restless whether regions are compacted in the background
   * @param buckets the table's; regions with some are split at their borders and never merged
   */
  Topology(
      TestCluster cluster,
      TableName table,
      Overlap overlap,
      boolean restless,
      Optional<ModelBuckets> buckets) {
    this.cluster = cluster;
    this.table = table;
    this.overlap = overlap;
    this.restless = restless;
    this.buckets = buckets.filter(ModelBuckets::isPresent);
  }

  /**
   * Has regions compacted by the history alone, unless the check is to be restless. A compaction
   * can change what a scan finds: with one version to keep it drops the older of two, and the newer
   * is hidden by a delete marker in a file that it does not read. Between two scans that are
   * compared nothing may change.
   */
  void stopBackgroundCompactions() throws IOException {
    if (!restless) {
      cluster.admin().compactionSwitch(false, List.of());
    }
  }

  void apply(Operation.Kind kind, Random r) throws IOException {
    switch (kind) {
      case BULK_LOAD -> bulkLoad(r);
      case SPLIT -> split(r);
      case BULK_LOAD_REPAIRED -> bulkLoadBoth(r);
      case MERGE -> {
        if (buckets.isPresent()) {
          rebalance(r);
        } else {
          merge(r);
        }
      }
      case KILL_SERVER -> kill(r);
      default -> move(r);
    }
  }

  List<RegionInfo> regions() throws IOException {
    return cluster.admin().getRegions(table).stream()
        .filter(RegionReplicaUtil::isDefaultReplica)
        .sorted(Comparator.comparing(RegionInfo::getStartKey, Bytes::compareTo))
        .toList();
  }

  /**
   * HBase neither splits nor merges a region that has references, or whose merged regions are still
   * in meta; all other regions keep theirs.
   */
  private void removeReferences(List<RegionInfo> regions) throws IOException {
    boolean removed = false;
    for (HRegion r : cluster.regions(table)) {
      if (regions.contains(r.getRegionInfo()) && r.hasReferences()) {
        Regions.compact(r, true);
        removed = true;
      }
    }
    if (removed) {
      cluster.admin().runCatalogJanitor();
    }
  }

  private void split(Random r) throws IOException {
    byte[] row = Bytes.toBytes("r" + (10 + r.nextInt(30)));
    Optional<byte[]> at =
        buckets.isPresent() ? buckets.get().border(regions(), r) : Optional.of(row);
    if (at.isPresent()) {
      split(at.get(), r);
    }
  }

  /** Instead of a merge, which buckets do not know. */
  private void rebalance(Random r) throws IOException {
    int count = regions().size();
    buckets.orElseThrow().rebalance(r);
    awaitRegions(count);
  }

  private byte[] row(Random r) {
    byte[] row = Operation.row(r);
    return buckets.map(b -> b.stored(row)).orElse(row);
  }

  /** Splits the region of a row there, if there are not too many already. */
  void split(byte[] at, Random r) throws IOException {
    List<RegionInfo> regions = regions();
    RegionInfo region = regions.stream().filter(i -> i.containsRow(at)).findFirst().orElseThrow();
    if (regions.size() >= MAX_REGIONS || Bytes.equals(region.getStartKey(), at)) {
      return;
    }
    removeReferences(List.of(region));
    overlap.make(r);
    try {
      run(cluster.admin().splitRegionAsync(region.getRegionName(), at));
    } catch (IOException e) {
      requireNotYet(e);
      return;
    }
    awaitRegions(regions.size() + 1);
  }

  private void merge(Random r) throws IOException {
    List<RegionInfo> regions = regions();
    if (regions.size() < 2) {
      return;
    }
    int i = r.nextInt(regions.size() - 1);
    removeReferences(regions.subList(i, i + 2));
    overlap.make(r);
    byte[][] pair = {
      regions.get(i).getEncodedNameAsBytes(), regions.get(i + 1).getEncodedNameAsBytes()
    };
    try {
      run(cluster.admin().mergeRegionsAsync(pair, false));
    } catch (IOException e) {
      requireNotYet(e);
      return;
    }
    awaitRegions(regions.size() - 1);
  }

  /**
   * A reference that is still held or not yet cleaned from meta, or what a lost server's log left
   * and is not yet cleaned, leaves regions as they are; so does an index table that shows no
   * boundaries, as all do where there are labels.
   */
  private static void requireNotYet(IOException e) throws IOException {
    String message = String.valueOf(e.getMessage());
    if (!message.contains("NOT splittable")
        && !message.contains("NOT mergeable")
        && !message.contains("is not mergeable")
        && !message.contains("merge qualifier")
        && !message.contains("split is disabled for the table")
        && !message.contains("Recovered.edits are found")) {
      throw e;
    }
  }

  private static void run(Future<Void> procedure) throws IOException {
    try {
      procedure.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e);
    } catch (TimeoutException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private void move(Random r) throws IOException {
    List<RegionInfo> regions = regions();
    RegionInfo region = regions.get(r.nextInt(regions.size()));
    ServerName from =
        cluster
            .connection()
            .getRegionLocator(table)
            .getRegionLocation(region.getStartKey(), true)
            .getServerName();
    List<ServerName> others =
        cluster.admin().getRegionServers().stream().filter(s -> !s.equals(from)).sorted().toList();
    ServerName to = others.get(r.nextInt(others.size()));
    FutureTask<Void> move =
        new FutureTask<>(
            () -> {
              cluster.admin().move(region.getEncodedNameAsBytes(), to);
              return null;
            });
    new Thread(move, "move beside").start();
    moving = move;
    if (r.nextInt(3) > 0) {
      settle();
    }
  }

  /**
   * Waits for a move that goes on while answers are compared.
   *
   * @return whether there was one
   */
  boolean settle() throws IOException {
    if (moving == null) {
      return false;
    }
    run(moving);
    moving = null;
    awaitRegions(regions().size());
    return true;
  }

  /** Writes made while some regions are open on a server without Spyhop. */
  @FunctionalInterface
  interface Writes {
    void make() throws IOException;
  }

  /**
   * A server without Spyhop joins, is moved regions, perhaps gives one back, and goes. Only while
   * this step lasts: no index can be created with such a server.
   */
  void withoutSpyhop(Random r, Writes writes) throws IOException {
    int count = regions().size();
    try (ServerWithoutSpyhop server = new ServerWithoutSpyhop(cluster)) {
      stopBackgroundCompactions();
      for (RegionInfo region : regions()) {
        if (r.nextInt(3) > 0) {
          cluster.admin().move(region.getEncodedNameAsBytes(), server.name());
        }
      }
      awaitRegions(count);
      writes.make();
      if (r.nextBoolean()) {
        move(r);
        writes.make();
      }
    }
    awaitRegions(count);
  }

  private void kill(Random r) throws IOException {
    int regions = regions().size();
    List<ServerName> servers = cluster.admin().getRegionServers().stream().sorted().toList();
    cluster.replace(servers.get(r.nextInt(servers.size())));
    stopBackgroundCompactions();
    awaitRegions(regions);
  }

  /**
   * Waits, and has the client look up regions anew: two servers that each remember that a region,
   * split or merged since, moved to the other one send a client back and forth until it gives up.
   */
  void awaitRegions(int count) throws IOException {
    Awaitility.await(table + " to have " + count + " open regions")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                cluster.regions(table).size() == count && cluster.admin().isTableAvailable(table));
    cluster.connection().clearRegionLocationCache();
  }

  /** Puts and delete markers of all kinds in one file, some of which get no sequence id. */
  private void bulkLoad(Random r) throws IOException {
    Column c = Column.values()[r.nextInt(Column.values().length)];
    BloomType filter = r.nextBoolean() ? BloomType.ROW : BloomType.NONE;
    long time = r.nextInt(3) == 0 ? 1_000_003L : System.currentTimeMillis();
    TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 1 + r.nextInt(8); i > 0; i--) {
      rows.add(row(r));
    }
    List<KeyValue> cells = new ArrayList<>();
    boolean deletes = r.nextBoolean();
    for (byte[] row : rows) {
      if (deletes && r.nextBoolean()) {
        cells.add(marker(row, c, newest(row, c).orElse(1_000_000L + r.nextInt(5)), r));
      }
      if (cells.isEmpty() || r.nextInt(4) > 0) {
        cells.add(new KeyValue(row, c.family(), c.qualifier(), time, c.stored(r)));
      }
    }
    if (r.nextInt(3) > 0) {
      BulkFile.load(cluster, table, filter, cells, r.nextInt(3) > 0);
      return;
    }
    List<KeyValue> others = new ArrayList<>();
    for (byte[] row : rows) {
      others.add(new KeyValue(row, c.family(), c.qualifier(), time, c.stored(r)));
    }
    BulkFile.loadReplaced(cluster, table, filter, others, cells);
  }

  /** Many cells of both families, so that others have time to look at their entries. */
  private void bulkLoadBoth(Random r) throws IOException {
    TreeSet<KeyValue> cells = new TreeSet<>(CellComparator.getInstance());
    for (int i = 20 + r.nextInt(100); i > 0; i--) {
      Column c = Column.values()[r.nextInt(Column.values().length)];
      long time = 1_000_000L + r.nextInt(1_000);
      cells.add(new KeyValue(row(r), c.family(), c.qualifier(), time, c.stored(r)));
    }
    BulkFile.loadAll(
        cluster, table, r.nextBoolean() ? BloomType.ROW : BloomType.NONE, List.copyOf(cells));
  }

  private static KeyValue marker(byte[] row, Column c, long time, Random r) {
    List<KeyValue.Type> families =
        List.of(KeyValue.Type.DeleteFamily, KeyValue.Type.DeleteFamilyVersion);
    List<KeyValue.Type> columns = List.of(KeyValue.Type.Delete, KeyValue.Type.DeleteColumn);
    return r.nextInt(3) == 0
        ? new KeyValue(row, c.family(), null, time, families.get(r.nextInt(2)))
        : new KeyValue(row, c.family(), c.qualifier(), time, columns.get(r.nextInt(2)));
  }

  /** The timestamp of the newest version that can be seen: deleted, it uncovers the one below. */
  private Optional<Long> newest(byte[] row, Column c) throws IOException {
    try (Table t = cluster.connection().getTable(table)) {
      Result found = t.get(new Get(row).addColumn(c.family(), c.qualifier()));
      return found.isEmpty() ? Optional.empty() : Optional.of(found.rawCells()[0].getTimestamp());
    }
  }
}
