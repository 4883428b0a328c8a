package io.spyhop.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.SecureBulkLoadManager;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** An HFile that is loaded into a table as a whole. */
public final class BulkFile {
  private BulkFile() {}

  /**
   * Writes a file and loads it.
   *
   * @param cells puts and delete markers of one family, in any order
   */
  public static void load(
      TestCluster cluster, TableName table, BloomType filter, List<KeyValue> cells)
      throws IOException {
    load(cluster, table, filter, cells, true);
  }

  /**
   * As the other.
   *
   * @param assigned whether the load gets a sequence id; cells of one without are older than all
   */
  public static void load(
      TestCluster cluster,
      TableName table,
      BloomType filter,
      List<KeyValue> cells,
      boolean assigned)
      throws IOException {
    Path dir = write(cluster, filter, cells).getParent().getParent();
    Configuration conf = new Configuration(cluster.util().getConfiguration());
    conf.setBoolean(BulkLoadHFilesTool.ASSIGN_SEQ_IDS, assigned);
    BulkLoadHFiles.create(conf).bulkLoad(table, dir);
  }

  /**
   * Writes a file and loads it, but for a server that is about to load it puts another one in its
   * place, once: when the hooks before the load have been called.
   *
   * @param cells of the file that takes the place, of the same rows
   * @param before of the one that the hooks are told of
   */
  public static void loadReplaced(
      TestCluster cluster,
      TableName table,
      BloomType filter,
      List<KeyValue> before,
      List<KeyValue> cells)
      throws IOException {
    FileSystem fs = cluster.util().getTestFileSystem();
    Path file = write(cluster, filter, before);
    AtomicReference<Path> other = new AtomicReference<>(write(cluster, filter, cells));
    listen(
        cluster,
        region -> {
          Path by = other.getAndSet(null);
          try {
            if (by != null && fs.delete(file, false)) {
              fs.rename(by, file);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    try {
      BulkLoadHFiles.create(cluster.util().getConfiguration())
          .bulkLoad(table, file.getParent().getParent());
    } finally {
      listen(cluster, null);
    }
  }

  /** HBase has this for tests of its own. */
  private static void listen(TestCluster cluster, Consumer<HRegion> listener) throws IOException {
    try {
      Method set =
          SecureBulkLoadManager.class.getDeclaredMethod("setFsCreatedListener", Consumer.class);
      set.setAccessible(true);
      for (RegionServerThread t :
          cluster.util().getMiniHBaseCluster().getLiveRegionServerThreads()) {
        set.invoke(t.getRegionServer().getSecureBulkLoadManager(), listener);
      }
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  /**
   * Writes a file for each family and loads them together.
   *
   * @param cells in any order
   */
  public static void loadAll(
      TestCluster cluster, TableName table, BloomType filter, List<KeyValue> cells)
      throws IOException {
    Map<byte[], List<KeyValue>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (KeyValue c : cells) {
      families.computeIfAbsent(CellUtil.cloneFamily(c), f -> new ArrayList<>()).add(c);
    }
    Map<byte[], List<Path>> files = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Map.Entry<byte[], List<KeyValue>> family : families.entrySet()) {
      files.put(family.getKey(), List.of(write(cluster, filter, family.getValue())));
    }
    BulkLoadHFiles.create(cluster.util().getConfiguration()).bulkLoad(table, files);
  }

  /** Writes a file, in a directory of its family's name, in one of its own. */
  public static Path write(TestCluster cluster, BloomType filter, List<KeyValue> cells)
      throws IOException {
    FileSystem fs = cluster.util().getTestFileSystem();
    Path dir = new Path(cluster.util().getDataTestDirOnTestFS(), "bulk" + UUID.randomUUID());
    String family = Bytes.toString(CellUtil.cloneFamily(cells.get(0)));
    Path file = new Path(new Path(dir, family), "hfile");
    StoreFileWriter writer =
        new StoreFileWriter.Builder(cluster.util().getConfiguration(), CacheConfig.DISABLED, fs)
            .withFilePath(file)
            .withBloomType(filter)
            .withFileContext(new HFileContextBuilder().withIncludesTags(true).build())
            .withMaxKeyCount(cells.size())
            .build();
    List<KeyValue> sorted = new ArrayList<>(cells);
    sorted.sort(CellComparator.getInstance());
    try {
      for (KeyValue c : sorted) {
        writer.append(c);
      }
      writer.appendMetadata(1, false);
    } finally {
      writer.close();
    }
    return file;
  }
}
