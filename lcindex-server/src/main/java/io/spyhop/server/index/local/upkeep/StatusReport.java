package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.RegionIndexes;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/** Reports the progress of a region's indexes. Stateless. */
final class StatusReport {
  private StatusReport() {}

  /**
   * The status.
   *
   * @param jobs HFiles for which jobs are queued or run
   * @param error the last failure, for indexes that are not complete
   */
  static RegionStatus of(
      HRegion region, RegionIndexes indexes, String server, int jobs, String error) {
    List<IndexState> states = new ArrayList<>();
    for (IndexDefinition d : indexes.schema().indexes()) {
      states.add(state(region, indexes, d, jobs, error));
    }
    List<String> unreadable = new ArrayList<>();
    indexes.schema().unreadable().forEach((n, why) -> unreadable.add(n + ": " + why));
    return new RegionStatus(region.getRegionInfo().getEncodedName(), server, states, unreadable);
  }

  /** The part of a family's files of rows that counts for an index: all parts make the whole. */
  private record Share(int place, int of) {
    static Share of(IndexSchema schema, IndexDefinition index) {
      List<IndexDefinition> columnar =
          schema.indexesOf(index.column().family()).stream()
              .filter(d -> d.local().layout() == Layout.COLUMNAR)
              .toList();
      return new Share(columnar.indexOf(index), columnar.size());
    }

    long of(long bytes) {
      return place < 0 ? 0 : bytes * (place + 1) / of - bytes * place / of;
    }
  }

  private static IndexState state(
      HRegion region, RegionIndexes indexes, IndexDefinition d, int jobs, String error) {
    HStore store = region.getStore(d.column().family());
    Share share = Share.of(indexes.schema(), d);
    int files = 0;
    int covered = 0;
    long entries = 0;
    long undecodable = 0;
    long unkeyable = 0;
    long ifileBytes = 0;
    long sfileBytes = 0;
    for (HStoreFile f : store == null ? List.<HStoreFile>of() : store.getStorefiles()) {
      files++;
      String name = f.getPath().getName();
      IndexFile index = indexes.usable(name, d).orElse(null);
      if (index != null) {
        covered++;
        entries += index.counts().entries();
        undecodable += index.counts().undecodable();
        unkeyable += index.counts().unkeyable();
        ifileBytes += index.ifileLength();
        sfileBytes += index.sfileLength();
      }
      IndexFile rows = indexes.rows(name).orElse(null);
      if (rows != null) {
        ifileBytes += share.of(rows.ifileLength());
        sfileBytes += share.of(rows.sfileLength());
      }
    }
    return new IndexState(
        d.name(),
        d.incarnation(),
        files,
        covered,
        entries,
        undecodable,
        unkeyable,
        ifileBytes,
        sfileBytes,
        jobs,
        0,
        files == covered ? "" : error);
  }
}
