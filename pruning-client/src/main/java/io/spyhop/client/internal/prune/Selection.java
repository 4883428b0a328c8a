package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.prune.StatisticsCache.Known;
import io.spyhop.core.prune.Decision;
import io.spyhop.core.prune.Pruner;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.stats.CompactSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Cuts a query's range at the boundaries of regions and decides, part by part, with what the cache
 * has (paper, algorithm 1). Stateless apart from what it is made of; used by one thread.
 *
 * <p>A part is left out only where it lies inside the boundaries that a region answered with, and
 * where that answer is fresh enough. Rows that moved to other regions meanwhile do not matter: the
 * answer speaks of rows, and of what was there when it was given.
 */
final class Selection {
  private static final Decision NEVER_ASKED =
      new Decision(ScanState.RSM, "not known: the region was never asked");

  private final KeySpace keys;
  private final TableCache cache;
  private final PrunedQuery question;
  private final Freshness freshness;

  /** Decides which statistics are fresh enough to leave a region out. */
  @FunctionalInterface
  interface Freshness {
    /**
     * Whether these may.
     *
     * @param region where their region is listed; null if it is not
     */
    boolean suffices(Known known, HRegionLocation region);
  }

  Selection(KeySpace keys, TableCache cache, PrunedQuery question, Freshness freshness) {
    this.keys = keys;
    this.cache = cache;
    this.question = question;
    this.freshness = freshness;
  }

  /**
   * Pieces, each of one region as far as is known, in parts. Those that are not settled could be
   * left out if their statistics were fresher, or if there were any.
   */
  List<Part> parts(List<RowRange> pieces) throws IOException {
    return parts(pieces, false);
  }

  /**
   * A part's range again, after a request.
   *
   * @return parts that are all settled: what still cannot be left out is read
   */
  List<Part> settled(RowRange range) throws IOException {
    return parts(keys.cut(RowRanges.of(range)), true);
  }

  private List<Part> parts(List<RowRange> pieces, boolean last) throws IOException {
    NavigableMap<byte[], HRegionLocation> regions = keys.regions();
    List<Part> parts = new ArrayList<>();
    for (RowRange piece : pieces) {
      Map.Entry<byte[], HRegionLocation> region = regions.floorEntry(piece.start());
      byte[] startKey = region == null ? piece.start() : region.getKey();
      decide(piece, startKey, region == null ? null : region.getValue(), last, parts);
    }
    return parts;
  }

  private void decide(
      RowRange piece, byte[] startKey, HRegionLocation region, boolean last, List<Part> parts) {
    Optional<Known> known = cache.get(startKey).filter(k -> holds(k, piece.start()));
    if (known.isEmpty()) {
      parts.add(new Part(piece, NEVER_ASKED, Optional.empty(), region, last));
      return;
    }
    CompactSummary summary = known.get().summary();
    if (summary.covers(piece.start(), piece.stop())) {
      parts.add(part(piece, known.get(), region, last));
      return;
    }
    byte[] end = summary.endKey();
    parts.add(part(new RowRange(piece.start(), end), known.get(), region, last));
    decide(new RowRange(end, piece.stop()), end, region, last, parts);
  }

  /** Whether a row was in the region when it answered. */
  private static boolean holds(Known known, byte[] row) {
    CompactSummary s = known.summary();
    return new RowRange(s.startKey(), s.endKey()).contains(row);
  }

  private Part part(RowRange range, Known known, HRegionLocation region, boolean last) {
    Decision decision = Pruner.decide(question.predicate(), question.families(), known.summary());
    if (!decision.isPruned() || freshness.suffices(known, region)) {
      return new Part(range, decision, Optional.of(known), region, true);
    }
    Decision read = new Decision(ScanState.RSM, "its statistics are too old to leave it out");
    return new Part(range, last ? read : decision, Optional.of(known), region, last);
  }

  /** The ranges of parts, neighbours joined. */
  static List<RowRange> joined(List<Part> parts) {
    List<RowRange> joined = new ArrayList<>();
    for (Part part : parts) {
      RowRange range = part.range();
      int end = joined.size() - 1;
      if (end >= 0 && Bytes.equals(joined.get(end).stop(), range.start())) {
        joined.set(end, new RowRange(joined.get(end).start(), range.stop()));
      } else {
        joined.add(range);
      }
    }
    return joined;
  }
}
