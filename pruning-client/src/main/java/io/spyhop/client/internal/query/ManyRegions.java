package io.spyhop.client.internal.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.spyhop.client.internal.exec.FirstRowsStream;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.core.conf.CheckedSettings;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.PredicateCodec;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.FirstRows;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.wire.DecimalNumber;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Asks the regions of one table for the first rows of queries, many with one call: where answers
 * are small, as with a condition on a value, these are all rows. Thread-safe.
 */
final class ManyRegions {
  /** The setting of how many regions are asked so at least: fewer are scanned at the same time. */
  private static final String REGIONS = "spyhop.client.first.regions";

  private static final int DEFAULT_REGIONS = 16;

  /** This part of them is on one server at least, on average. */
  private static final int SERVER_PART = 4;

  private static final int ROWS = 1_000;

  /**
   * The setting of how many milliseconds such a call may take. Beyond it regions are better read
   * side by side than one after the other within a call.
   */
  private static final String MILLIS = "spyhop.client.first.millis";

  private static final int DEFAULT_MILLIS = 40;
  private static final int MOST_MILLIS = 60_000;

  /** How long columns are remembered of which answers were large. */
  private static final Duration AGE = Duration.ofSeconds(10);

  private static final int MOST = 1_000;

  /** Larger conditions are sent region by region. */
  private static final int MOST_CONDITION = 4_096;

  private final KeySpace known;
  private final RegionBorders borders;
  private final int millis;
  private final int regions;
  private final Cache<List<BoundColumn>, Boolean> large =
      Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(AGE).build();

  ManyRegions(KeySpace known, RegionBorders borders, Configuration conf) {
    this.known = known;
    this.borders = borders;
    CheckedSettings settings = new CheckedSettings(conf);
    this.millis = settings.integer(MILLIS, DEFAULT_MILLIS, 0, MOST_MILLIS);
    this.regions = settings.integer(REGIONS, DEFAULT_REGIONS, 1, Integer.MAX_VALUE);
  }

  /** Whether few calls may have all rows of a query. */
  boolean mayAnswer(BoundQuery query, List<RowRange> parts, ReadDemand demand) throws IOException {
    if (millis == 0
        || parts.size() < regions
        || demand.isLimited()
        || query.aggregate().isPresent()
        || query.predicate().isEveryRow()
        || large.getIfPresent(query.predicate().columns()) != null
        || PredicateCodec.encode(query.predicate()).length > MOST_CONDITION) {
      return false;
    }
    Set<ServerName> servers = new HashSet<>();
    for (RowRange part : parts) {
      servers.add(known.server(part.start()));
    }
    return (long) servers.size() * (regions / SERVER_PART) <= parts.size();
  }

  /** The questions of a query. */
  FirstRowsStream.Questions of(BoundQuery query, Function<RowRange, ScanState> states) {
    return new FirstRowsStream.Questions() {
      @Override
      public Scan small(RowRange part, long bytes) {
        Scan scan = query.scan(part, states.apply(part), Optional.empty());
        long own = scan.getMaxResultSize();
        return scan.setLimit(ROWS)
            .setMaxResultSize(own > 0 ? Math.min(own, bytes) : bytes)
            .setAttribute(Attributes.MOST_MILLIS, DecimalNumber.encode(millis));
      }

      @Override
      public List<Optional<FirstRows>> ask(List<Scan> scans) throws IOException {
        List<Optional<FirstRows>> answers = borders.firstRows(scans);
        List<FirstRows> given = answers.stream().flatMap(Optional::stream).toList();
        if (given.stream().filter(FirstRows::whole).count() * 2 < given.size()) {
          large.put(query.predicate().columns(), true);
        }
        return answers;
      }

      @Override
      public Result shape(Result row) {
        return query.projection().strip(row);
      }
    };
  }
}
