package io.spyhop.server.view.store;

import io.spyhop.core.schema.ViewOption;
import io.spyhop.server.index.view.ViewBuild;
import io.spyhop.server.view.BuildTerms;
import io.spyhop.server.view.SortedView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.wal.WAL;

/**
 * A region for HBase's own tests ({@code scripts/hbase-scanner-tests}), which know nothing of
 * views: every family has one that can, made anew whenever a scan comes and the HFiles are others
 * than before. When the JVM ends it says on the standard error how many scans read one.
 */
public final class EagerRegion extends HRegion {
  private static final AtomicLong SCANS = new AtomicLong();
  private static final AtomicLong MADE = new AtomicLong();
  private static final AtomicLong FAILED = new AtomicLong();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () ->
                    System.err.println(
                        "views: " + SCANS + " scans, " + MADE + " made, " + FAILED + " failed")));
  }

  /** Called by HBase. */
  @SuppressWarnings("deprecation")
  public EagerRegion(
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
  protected HStore instantiateHStore(ColumnFamilyDescriptor family, boolean warmup)
      throws IOException {
    if (getRegionInfo().isMetaRegion() || ViewOption.refusal(family).isPresent()) {
      return super.instantiateHStore(family, warmup);
    }
    ViewStore store = new ViewStore(this, family, conf, warmup);
    store.views(new EagerViews(store));
    return store;
  }

  /** Makes views while scans wait. */
  private static final class EagerViews implements StoreViews {
    private static final int INTERVAL = 4;

    private final RecentBlocks recent = new RecentBlocks(1 << 20);
    private final ViewStore store;
    private List<HStoreFile> known = List.of();
    private SortedView view;

    EagerViews(ViewStore store) {
      this.store = store;
    }

    @Override
    public RecentBlocks recent() {
      return recent;
    }

    @Override
    public synchronized SortedView current() {
      List<HStoreFile> files = new ArrayList<>();
      for (HStoreFile f : store.getStorefiles()) {
        StoreFileReader reader = f.getReader();
        if (reader != null
            && reader.getClass() == StoreFileReader.class
            && ViewOption.isReadable(reader.getHFileReader().getDataBlockEncoding())) {
          files.add(f);
        }
      }
      if (!files.equals(known)) {
        known = List.copyOf(files);
        view = files.size() < 2 ? null : made(files);
      }
      return view;
    }

    private SortedView made(List<HStoreFile> files) {
      files.sort(SpyhopAccess.byAge());
      BuildTerms terms = new BuildTerms(INTERVAL, HConstants.DEFAULT_MAX_FILE_SIZE, () -> {});
      byte[] family = store.getColumnFamilyDescriptor().getName();
      try (ViewBuild build = new ViewBuild(store.getComparator(), family, files, terms)) {
        SortedView made = build.build(null);
        MADE.incrementAndGet();
        return made;
      } catch (IOException | RuntimeException e) {
        return null; // some tests damage HFiles; HBase's scanners are to find out
      }
    }

    @Override
    public void used() {
      SCANS.incrementAndGet();
    }

    @Override
    public void missed(int files) {}

    @Override
    public void unread(SortedView failed, IOException e) {
      failed(failed, e);
    }

    @Override
    public synchronized void failed(SortedView failed, Exception failure) {
      FAILED.incrementAndGet();
      view = null;
    }
  }
}
