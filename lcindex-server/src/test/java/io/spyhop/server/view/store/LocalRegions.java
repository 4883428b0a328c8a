package io.spyhop.server.view.store;

import io.spyhop.core.schema.ViewOption;
import io.spyhop.server.index.view.ViewBuild;
import io.spyhop.server.view.BuildTerms;
import io.spyhop.server.view.SortedView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.ChunkCreator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;

/** Regions without a server; a family's view is made when a test says so. */
public final class LocalRegions implements AutoCloseable {
  public static final byte[] F = Bytes.toBytes("f");
  private static final AtomicInteger TABLES = new AtomicInteger();

  private final Configuration conf = HBaseConfiguration.create();
  private final Path root;
  private final List<HRegion> regions = new ArrayList<>();

  /** Regions of this class take the block cache that their settings say. */
  public static final class Cached extends ViewRegion {
    private BlockCache cache;

    /** Called by HBase. */
    public Cached(
        Path tableDir,
        WAL wal,
        FileSystem fs,
        Configuration conf,
        RegionInfo region,
        TableDescriptor table,
        RegionServerServices server) {
      super(tableDir, wal, fs, conf, region, table, server);
    }

    @Override
    public synchronized BlockCache getBlockCache() {
      if (cache == null) {
        cache = BlockCacheFactory.createBlockCache(getReadOnlyConfiguration());
      }
      return cache;
    }

    @Override
    public Map<byte[], List<HStoreFile>> close(boolean abort) throws IOException {
      Map<byte[], List<HStoreFile>> files = super.close(abort);
      getBlockCache().shutdown();
      return files;
    }
  }

  public LocalRegions(java.nio.file.Path dir) {
    root = new Path(dir.toUri().toString(), "hbase");
    conf.set("hbase.rootdir", root.toString());
    conf.set("fs.defaultFS", "file:///");
    conf.set("hbase.hregion.impl", ViewRegion.class.getName());
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.set("hbase.wal.provider", "filesystem");
    conf.setInt("hbase.hstore.compactionThreshold", 1000);
    ChunkCreator.initialize(
        MemStoreLAB.CHUNK_SIZE_DEFAULT,
        false,
        0,
        0,
        0,
        null,
        MemStoreLAB.INDEX_CHUNK_SIZE_PERCENTAGE_DEFAULT);
  }

  /** What regions that are opened from now on are configured by. */
  public Configuration conf() {
    return conf;
  }

  public HRegion open(boolean views, UnaryOperator<ColumnFamilyDescriptorBuilder> family)
      throws IOException {
    TableName name = TableName.valueOf("local" + TABLES.incrementAndGet());
    ColumnFamilyDescriptorBuilder f = family.apply(ColumnFamilyDescriptorBuilder.newBuilder(F));
    if (views) {
      f.setValue(ViewOption.NAME, "true");
    }
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name).setColumnFamily(f.build()).build();
    HRegion region =
        HBaseTestingUtility.createRegionAndWAL(
            RegionInfoBuilder.newBuilder(name).build(), root, conf, table);
    regions.add(region);
    return region;
  }

  /** Writes a file to be loaded, whose cells keep their sequence ids. */
  static void write(HRegion region, Path file, Collection<? extends Cell> cells)
      throws IOException {
    Configuration conf = region.getReadOnlyConfiguration();
    StoreFileWriter writer =
        new StoreFileWriter.Builder(
                conf, CacheConfig.DISABLED, region.getRegionFileSystem().getFileSystem())
            .withFilePath(file)
            .withFileContext(new HFileContextBuilder().withIncludesMvcc(true).build())
            .build();
    try {
      for (Cell c : cells) {
        writer.append(c);
      }
      writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(1L));
    } finally {
      writer.close();
    }
  }

  /** A view of what a region's store has now; scans read it. */
  static Views view(HRegion region) throws IOException {
    ViewStore store = (ViewStore) region.getStore(F);
    Views views = new Views();
    views.view = build(region, null, 1);
    store.views(views);
    return views;
  }

  static SortedView build(HRegion region, SortedView old, int leftOut) throws IOException {
    ViewStore store = (ViewStore) region.getStore(F);
    List<HStoreFile> files = new ArrayList<>(store.getStorefiles());
    files.sort(SpyhopAccess.byAge());
    if (leftOut > 1) {
      files.remove(files.size() - 1);
    }
    try (ViewBuild build =
        new ViewBuild(store.getComparator(), F, files, new BuildTerms(32, 1L << 30, () -> {}))) {
      return build.build(old);
    }
  }

  /** The settings of scans. */
  static final class Views implements StoreViews {
    private final RecentBlocks recent = new RecentBlocks(1 << 20);
    volatile SortedView view;
    final AtomicInteger used = new AtomicInteger();
    final AtomicInteger unread = new AtomicInteger();
    volatile Exception failure;

    @Override
    public RecentBlocks recent() {
      return recent;
    }

    @Override
    public SortedView current() {
      return view;
    }

    @Override
    public void used() {
      used.incrementAndGet();
    }

    @Override
    public void missed(int files) {}

    @Override
    public void unread(SortedView failed, IOException e) {
      unread.incrementAndGet();
    }

    @Override
    public void failed(SortedView failed, Exception e) {
      failure = e;
      view = null;
    }
  }

  @Override
  public void close() throws IOException {
    for (HRegion r : regions) {
      HBaseTestingUtility.closeRegionAndWAL(r);
    }
  }
}
