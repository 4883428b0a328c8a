package io.spyhop.server.index.stats;

import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.server.index.StoreFiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A region's statistics as of the last look; the log of changes has an epoch for them. They are put
 * together again only if what they are made of has changed. Guarded by the log.
 */
final class CurrentSummary {
  private final HRegion region;
  private final ChangeLog log;
  private State last = new State("", false, Map.of(), List.of());
  private Basis basis;

  /** The facts that one epoch is for. */
  private record State(
      String unknown,
      boolean nullsTold,
      Map<String, List<HStoreFile>> live,
      List<SourceSummary> files) {}

  /**
   * All that a {@link State} is made of, as cheap to look at as it must be for each query: the same
   * basis is the same state. Columns are others only if what is published, or known, is.
   *
   * @param hfiles of each of the stores
   * @param published how much was published, of all stores
   */
  private record Basis(
      Map<byte[], StoreStatistics> stores,
      StoreFiles hfiles,
      long published,
      String unknown,
      boolean closing,
      TableDescriptor table) {
    boolean isSame(Basis now) {
      return stores == now.stores
          && hfiles.areStill(now.hfiles)
          && published == now.published
          && unknown.equals(now.unknown)
          && closing == now.closing
          && table == now.table;
    }
  }

  CurrentSummary(HRegion region, ChangeLog log) {
    this.region = region;
    this.log = log;
  }

  /**
   * Looks at what is there now.
   *
   * @param stores by family; the same map if they are the same
   * @param unknown why memstores are not known; empty if they are
   */
  void renew(Map<byte[], StoreStatistics> stores, String unknown) {
    Basis now = basis(stores, unknown);
    if (basis != null && basis.isSame(now)) {
      return;
    }
    State state = state(now);
    if (!state.equals(last)) {
      last = state;
      log.newEpoch();
    }
    basis = now;
  }

  /**
   * The generations do not change meanwhile; the lists of HFiles are looked at after them, and
   * whether they could have been emptied after that: a region says that it closes before its stores
   * let go of their HFiles (correctness rule 27).
   */
  private Basis basis(Map<byte[], StoreStatistics> stores, String unknown) {
    long published = 0;
    List<Collection<HStoreFile>> hfiles = new ArrayList<>(stores.size());
    for (Map.Entry<byte[], StoreStatistics> e : stores.entrySet()) {
      published += e.getValue().published();
      HStore store = region.getStore(e.getKey());
      hfiles.add(store == null ? List.of() : store.getStorefiles());
    }
    return new Basis(
        stores,
        new StoreFiles(hfiles),
        published,
        unknown,
        region.isClosing() || region.isClosed(),
        region.getTableDescriptor());
  }

  private static State state(Basis of) {
    Map<String, List<HStoreFile>> live = new HashMap<>();
    List<SourceSummary> files = new ArrayList<>();
    String unknown = of.unknown;
    Iterator<Collection<HStoreFile>> lists = of.hfiles.lists().iterator();
    for (StoreStatistics s : of.stores.values()) {
      List<HStoreFile> hfiles = List.copyOf(lists.next());
      live.put(s.family(), hfiles);
      Optional<SourceSummary> some = s.summary(hfiles);
      if (some.isEmpty() && unknown.isEmpty()) {
        unknown = "HFiles of family '" + s.family() + "' are not read yet";
      }
      some.ifPresent(files::add);
    }
    if (of.closing) {
      unknown = "the region closes";
    }
    return new State(unknown, nullsTold(of.table), live, files);
  }

  private static boolean nullsTold(TableDescriptor table) {
    ColumnFamilyDescriptor[] families = table.getColumnFamilies();
    return families.length == 1 && families[0].getTimeToLive() == HConstants.FOREVER;
  }

  /** Everything, for clients and those on the server. */
  RegionSummary whole() {
    RegionInfo info = region.getRegionInfo();
    SourceSummary memstore = SourceSummary.NOTHING;
    SortedSet<byte[]> occupied = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (Map.Entry<byte[], StoreStatistics> e : basis.stores.entrySet()) {
      memstore = memstore.beside(e.getValue().memstore().summary());
      if (e.getValue().memstore().isOccupied()) {
        occupied.add(e.getKey());
      }
    }
    return new RegionSummary(
        info.getEncodedName(),
        info.getStartKey(),
        info.getEndKey(),
        log.epoch(),
        log.version(),
        last.unknown,
        last.nullsTold,
        occupied,
        last.files.stream().reduce(SourceSummary.NOTHING, SourceSummary::beside),
        memstore);
  }

  /** By which parts of the region a query may be bounded; empty if not all is known. */
  Optional<Segments> segments() {
    if (!last.unknown.isEmpty()) {
      return Optional.empty();
    }
    List<Segments.StoreFiles> all = new ArrayList<>();
    for (StoreStatistics s : basis.stores.values()) {
      all.add(new Segments.StoreFiles(s, last.live.get(s.family())));
    }
    return Segments.of(all, last.nullsTold);
  }
}
