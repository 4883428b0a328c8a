package io.spyhop.server.query.scan;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.DecimalNumber;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.query.candidate.IndexedQuery;
import io.spyhop.server.query.plan.QueryPlanner;
import io.spyhop.server.query.plan.ScanPredicate;
import io.spyhop.server.query.report.QueryReports;
import io.spyhop.server.query.report.SlowQueries;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The parts of a region that its queries share, and the accounts that they leave. Thread-safe.
 *
 * @param server the region server's name, as plans tell it
 * @param reports of queries that have ended
 */
public record QueryRegion(
    HRegion region,
    String server,
    RegionIndexes indexes,
    RegionStatistics statistics,
    QueryEnvironment environment,
    QueryReports reports) {
  /** Takes the entries of some hundred rows in memory; for more there must be room. */
  private static final long ORDER_BYTES = 64 << 10;

  public ServerMetrics metrics() {
    return environment.metrics();
  }

  public QueryPlanner planner() {
    return environment.planner();
  }

  /** The memory of one more query. */
  public QueryMemory newMemory() {
    return new QueryMemory(environment.memory(), environment.sortBudget());
  }

  /** The memory of a query whose client would have to sort, were it refused. */
  QueryMemory newOrderMemory() {
    return new QueryMemory(environment.memory(), environment.sortBudget(), ORDER_BYTES);
  }

  public String table() {
    return region.getTableDescriptor().getTableName().getNameAsString();
  }

  /** The families that a scan reads. */
  public Collection<byte[]> families(Scan scan) {
    return scan.hasFamilies()
        ? scan.getFamilyMap().keySet()
        : region.getTableDescriptor().getColumnFamilyNames();
  }

  /** A query that an index drives. */
  public IndexedQuery query(Scan scan, ScanPredicate question, IndexDefinition driving) {
    return new IndexedQuery(
        region,
        region.getStore(driving.column().family()),
        scan,
        question,
        driving,
        Optional.empty());
  }

  /** The path that a scan asks for. */
  public static String hint(Scan scan) {
    byte[] hint = scan.getAttribute(Attributes.PATH_HINT);
    return hint == null ? Attributes.PATH_AUTO : Bytes.toString(hint);
  }

  /**
   * How many rows of the whole answer the client will take, at most.
   *
   * @throws DoNotRetryIOException if that is no number over 0
   */
  public static long limit(Query read) throws DoNotRetryIOException {
    byte[] limit = read.getAttribute(Attributes.LIMIT);
    if (limit == null) {
      return Long.MAX_VALUE;
    }
    try {
      long rows = DecimalNumber.decode(limit);
      if (rows > 0) {
        return rows;
      }
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException("attribute '" + Attributes.LIMIT + "' is no number", e);
    }
    throw new DoNotRetryIOException("attribute '" + Attributes.LIMIT + "' is not over 0");
  }

  /** Counts a query, or a part of one, that no index answers. */
  public void fallBack(Fallback why) {
    metrics().fallBack(why);
  }

  /** A query is over. */
  public void ended(Scan scan, ScanPredicate question, RegionPlan plan) {
    RegionPlan.Actual actual = plan.actual().orElseThrow();
    metrics().records.increment(actual.records());
    metrics().candidates.increment(actual.candidates());
    metrics().rereads.increment(actual.rereads());
    metrics().queryMicros.update(TimeUnit.NANOSECONDS.toMicros(actual.nanos()));
    SlowQueries slow = environment.slow();
    (isEncrypted() ? slow.withoutValues() : slow).look(region, question.predicate(), plan);
    report(scan, plan);
  }

  /** Whether values of the table must not get into the log in plain text. */
  private boolean isEncrypted() {
    return Arrays.stream(region.getTableDescriptor().getColumnFamilies())
        .anyMatch(f -> f.getEncryptionType() != null);
  }

  /** Keeps what a scan did, if its client asks for that. */
  public void report(Scan scan, RegionPlan report) {
    Optional.ofNullable(scan.getAttribute(Attributes.QUERY_ID))
        .ifPresent(id -> reports.put(id, report));
  }
}
