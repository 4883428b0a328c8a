package io.spyhop.server.model;

import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/** What happens to regions as a whole. */
final class Topology {
  private static final int MAX_REGIONS = 5;

  private final TestCluster cluster;
  private final TableName table;

  Topology(TestCluster cluster, TableName table) {
    this.cluster = cluster;
    this.table = table;
  }

  /**
   * Has regions compacted by the history alone. A compaction can change what a scan finds: with one
   * version to keep it drops the older of two, and the newer is hidden by a delete marker in a file
   * that it does not read. Between two scans that are compared nothing may change.
   */
  void stopBackgroundCompactions() throws IOException {
    cluster.admin().compactionSwitch(false, List.of());
  }

  void apply(Operation.Kind kind, Random r) throws IOException {
    switch (kind) {
      case BULK_LOAD -> bulkLoad(r);
      case SPLIT -> split(r);
      case MERGE -> merge(r);
      case KILL_SERVER -> kill(r);
      default -> move(r);
    }
  }

  List<RegionInfo> regions() throws IOException {
    return cluster.admin().getRegions(table).stream()
        .sorted(Comparator.comparing(RegionInfo::getStartKey, Bytes::compareTo))
        .toList();
  }

  /** A region that still has references cannot be split or merged; compacting removes them. */
  private void removeReferences() throws IOException {
    Regions.compact(cluster, table, true);
  }

  private void split(Random r) throws IOException {
    split(Bytes.toBytes("r" + (10 + r.nextInt(30))));
  }

  /** Splits the region of a row there, if there are not too many already. */
  void split(byte[] at) throws IOException {
    List<RegionInfo> regions = regions();
    RegionInfo region = regions.stream().filter(i -> i.containsRow(at)).findFirst().orElseThrow();
    if (regions.size() >= MAX_REGIONS || Bytes.equals(region.getStartKey(), at)) {
      return;
    }
    removeReferences();
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
    removeReferences();
    int i = r.nextInt(regions.size() - 1);
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
   * and is not yet cleaned, leaves regions as they are.
   */
  private static void requireNotYet(IOException e) throws IOException {
    String message = String.valueOf(e.getMessage());
    if (!message.contains("NOT splittable")
        && !message.contains("NOT mergeable")
        && !message.contains("is not mergeable")
        && !message.contains("merge qualifier")
        && !message.contains("Recovered.edits are found")) {
      throw e;
    }
  }

  private static void run(java.util.concurrent.Future<Void> procedure) throws IOException {
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
    cluster.admin().move(region.getEncodedNameAsBytes(), to);
    awaitRegions(regions.size());
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

  private void bulkLoad(Random r) throws IOException {
    FileSystem fs = cluster.util().getTestFileSystem();
    Path dir = new Path(cluster.util().getDataTestDirOnTestFS(), "bulk" + r.nextInt());
    Column c = Column.values()[r.nextInt(Column.values().length)];
    Path file = new Path(new Path(dir, Bytes.toString(c.family())), "hfile");
    StoreFileWriter writer =
        new StoreFileWriter.Builder(cluster.util().getConfiguration(), CacheConfig.DISABLED, fs)
            .withFilePath(file)
            .withBloomType(r.nextBoolean() ? BloomType.ROW : BloomType.NONE)
            .withFileContext(new HFileContextBuilder().withIncludesTags(true).build())
            .withMaxKeyCount(20)
            .build();
    try {
      TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      for (int i = 1 + r.nextInt(8); i > 0; i--) {
        rows.add(Operation.row(r));
      }
      long time = r.nextInt(3) == 0 ? 1_000_003L : System.currentTimeMillis();
      for (byte[] row : rows) {
        writer.append(new KeyValue(row, c.family(), c.qualifier(), time, c.stored(r)));
      }
      writer.appendMetadata(1, false);
    } finally {
      writer.close();
    }
    BulkLoadHFiles.create(cluster.util().getConfiguration()).bulkLoad(table, dir);
  }
}
