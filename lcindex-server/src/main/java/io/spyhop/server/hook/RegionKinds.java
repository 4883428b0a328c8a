package io.spyhop.server.hook;

import io.spyhop.server.bucket.BucketPart;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.global.GlobalPart;
import io.spyhop.server.index.local.upkeep.LocalPart;
import io.spyhop.server.index.stats.StatisticsPart;
import io.spyhop.server.index.view.ViewPart;
import java.util.List;

/**
 * The one list of the kinds of indexes that keep something in the regions of user tables.
 * Stateless.
 */
public final class RegionKinds {
  /**
   * One line a kind. Data goes through the parts from first to last, and all else from last to
   * first ({@link RegionParts}), so the order says:
   *
   * <ul>
   *   <li>Queries come to be when all that they read is open.
   *   <li>Buckets hold up writes before anybody has seen them.
   *   <li>Global indexes see a write next: they alone may refuse it for its own sake, and nobody
   *       has recorded it then. They see what a flush or compaction reads before statistics wrap
   *       it.
   *   <li>The table's definitions are read from before global indexes open, which ask for these,
   *       until before they close.
   *   <li>Local indexes, statistics and sorted views neither ask another part nor are asked.
   * </ul>
   */
  public static final List<RegionContext.Kind> ALL =
      List.of(
          QueryPart::new,
          BucketPart::new,
          GlobalPart::new,
          DefinitionsPart::new,
          LocalPart::new,
          StatisticsPart::new,
          ViewPart::new);

  private RegionKinds() {}
}
