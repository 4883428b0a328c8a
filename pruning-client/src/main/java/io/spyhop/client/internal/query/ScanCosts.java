package io.spyhop.client.internal.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.client.internal.admin.RegionCalls;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.global.Bounded;
import io.spyhop.client.internal.global.PlainCost;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.core.predicate.PredicateCodec;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The costs of queries on one table where regions answer them, by the regions' own account. Answers
 * are kept for a while: sizes change slowly, and old ones cost speed alone. Thread-safe.
 */
final class ScanCosts {
  private static final Duration AGE = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MOST = 1_000;

  /** Costs of larger conditions are not kept. */
  private static final int MOST_BYTES = 4_096;

  /** So few regions are asked without much thought. */
  private static final int FEW_REGIONS = 2;

  /** Of more regions some stand for all. */
  private static final int MOST_REGIONS = 64;

  /** What a record of a local index costs at most, in cells, and to begin reading it. */
  private static final double RECORD = 250;

  private static final double SET_UP = 2_000;
  private static final Logger LOG = LoggerFactory.getLogger(ScanCosts.class);

  private final TableName table;
  private final KeySpace keys;
  private final RegionCalls calls;
  private final Cache<Key, Double> known =
      Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(AGE).build();

  ScanCosts(Connection connection, TableName table, KeySpace keys) {
    this.table = table;
    this.keys = keys;
    this.calls = new RegionCalls(connection);
  }

  /**
   * The key of a query: queries with equal keys cost the same.
   *
   * @param condition where a local index could drive the query
   */
  private record Key(List<String> families, Optional<ByteBuffer> condition, RowRange range) {}

  /** The costs of a query. */
  PlainCost of(BoundQuery query) {
    List<String> families = query.families().stream().map(Bytes::toStringBinary).toList();
    Optional<ByteBuffer> condition =
        isDrivenByRegions(query)
            ? Optional.of(ByteBuffer.wrap(PredicateCodec.encode(query.predicate())))
            : Optional.empty();
    boolean kept = condition.filter(c -> c.remaining() > MOST_BYTES).isEmpty();
    return new PlainCost() {
      @Override
      public boolean isQuicklyAsked(RowRange range) throws IOException {
        return before(range) != null || keys.overlapping(List.of(range)).size() <= FEW_REGIONS;
      }

      @Override
      public OptionalDouble cells(RowRange range) throws IOException {
        Double before = before(range);
        if (before != null) {
          return OptionalDouble.of(before);
        }
        OptionalDouble now = ask(query, range);
        if (kept) {
          now.ifPresent(cells -> known.put(new Key(families, condition, range), cells));
        }
        return now;
      }

      private Double before(RowRange range) {
        return kept ? known.getIfPresent(new Key(families, condition, range)) : null;
      }
    };
  }

  private static boolean isDrivenByRegions(BoundQuery query) {
    return query.indexes().locals().indexes().stream()
        .anyMatch(d -> query.predicate().columnOf(d.column()) >= 0);
  }

  private OptionalDouble ask(BoundQuery query, RowRange range) throws IOException {
    try {
      List<HRegionLocation> all = keys.overlapping(List.of(range));
      int step = (all.size() + MOST_REGIONS - 1) / MOST_REGIONS;
      List<HRegionLocation> some = new ArrayList<>();
      for (int i = 0; i < all.size(); i += step) {
        some.add(all.get(i));
      }
      RegionRequest request =
          new RegionRequest(RegionRequest.Kind.EXPLAIN, query.planRequest().encode());
      List<RegionAnswer<RegionPlan>> plans =
          calls.ask(table, some, request, get -> within(get, range), PATIENCE, RegionPlan::decode);
      return sum(plans, (double) all.size() / Math.max(1, some.size()));
    } catch (IOException e) {
      Bounded.requireNotInterrupted(e);
      LOG.debug("Table {}: its regions do not say what queries cost", table, e);
      return OptionalDouble.empty();
    }
  }

  private static Get within(Get request, RowRange range) {
    request.setAttribute(Attributes.START_ROW, range.start());
    request.setAttribute(Attributes.STOP_ROW, range.stop());
    return request;
  }

  private static OptionalDouble sum(List<RegionAnswer<RegionPlan>> plans, double times) {
    double cells = 0;
    for (RegionAnswer<RegionPlan> p : plans) {
      if (p.answer().isEmpty()) {
        return OptionalDouble.empty();
      }
      cells += cells(p.answer().get());
    }
    return OptionalDouble.of(cells * times);
  }

  private static double cells(RegionPlan plan) {
    double scan = (double) plan.scanCells() + plan.memstoreCells();
    return plan.estimates().stream()
        .filter(e -> e.index().equals(plan.driving()))
        .mapToDouble(e -> SET_UP + RECORD * e.records() + plan.memstoreCells())
        .reduce(scan, Math::min);
  }
}
