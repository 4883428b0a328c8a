package io.spyhop.client;

import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.client.internal.admin.RegionCalls;
import io.spyhop.client.internal.admin.TableInfo;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.global.GlobalSearch;
import io.spyhop.client.internal.global.OrderedSearch;
import io.spyhop.client.internal.prune.Part;
import io.spyhop.client.internal.query.BoundQuery;
import io.spyhop.client.internal.query.GlobalIndexPath;
import io.spyhop.client.internal.query.QueryExecutor;
import io.spyhop.client.internal.query.QueryRun;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionPlan.Path;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.RegionSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;

/** Explains how queries on one table run or ran. Thread-safe. */
final class Explainer {
  private final TableName name;
  private final Connection connection;
  private final ScanPool pool;
  private final QueryExecutor executor;
  private final RegionCalls regions;

  Explainer(TableName name, Connection connection, ScanPool pool, QueryExecutor executor) {
    this.name = name;
    this.connection = connection;
    this.pool = pool;
    this.executor = executor;
    this.regions = new RegionCalls(connection);
  }

  /**
   * Says what would be done, without running the query. Regions that do not answer are listed as
   * scanning, with the reason. Global indexes that can drive the query are asked as a query asks
   * them.
   */
  QueryPlan explain(BoundQuery query) throws IOException {
    QueryRun paths = executor.run(query, Optional.empty());
    TableInfo.requireEnabled(connection, name);
    BoundQuery bound = query.asked();
    Optional<QueryPlan.Global> global = Optional.empty();
    if (bound.order().isEmpty() && paths.global().isPresent()) {
      global = Optional.of(global(paths.global().get().search(), 0, ""));
    }
    return new QueryPlan(
        name.getNameAsString(),
        query.text(),
        plans(
            bound,
            global,
            List.of(),
            () -> new RegionRequest(RegionRequest.Kind.EXPLAIN, bound.planRequest().encode()),
            "region has no Spyhop coprocessor"),
        decisions(bound.predicate(), parts(bound, paths, global)),
        Optional.empty(),
        global);
  }

  private static QueryPlan.Global global(
      GlobalSearch.Outcome outcome, long rowsRead, String failure) {
    return outcome
        .found()
        .map(
            f ->
                new QueryPlan.Global(
                    f.index().name(),
                    f.entries(),
                    f.rows().size(),
                    rowsRead,
                    f.rest().ranges().size(),
                    failure))
        .orElseGet(() -> new QueryPlan.Global("", 0, 0, 0, 0, outcome.reason()));
  }

  private static Optional<QueryPlan.Global> global(GlobalIndexPath path) {
    return path.outcome().map(o -> global(o, path.rowsRead(), path.failure()));
  }

  private static QueryPlan.Global global(OrderedSearch.Answer answer) {
    return new QueryPlan.Global(
        answer.index(),
        answer.entries(),
        answer.rows().map(List::size).orElse(0),
        answer.rowsRead(),
        0,
        answer.reason());
  }

  /**
   * Runs the query, drops its rows, and says what each region did.
   *
   * @throws IOException if the query fails
   */
  QueryPlan explainAnalyze(BoundQuery bound) throws IOException {
    byte[] id = newQueryId();
    QueryRun running = executor.run(bound, Optional.of(id));
    Cancellation none = new Cancellation(pool, Optional.empty());
    QueryPlan.Run run = count(new RowCursor(name, running.rows(), bound.limit(), () -> 0, none));
    Optional<QueryPlan.Global> global =
        running
            .ordered()
            .filter(a -> a.rows().isPresent())
            .map(Explainer::global)
            .or(() -> running.global().flatMap(Explainer::global))
            .or(() -> running.ordered().map(Explainer::global));
    RegionRequest request = new RegionRequest(RegionRequest.Kind.REPORT, id);
    return new QueryPlan(
        name.getNameAsString(),
        bound.text(),
        plans(
            bound,
            global,
            running.parts(),
            () -> request,
            "no report: region was not read to its end, has moved or has no Spyhop coprocessor"),
        decisions(bound.predicate(), running.parts()),
        Optional.of(run),
        global);
  }

  private static QueryPlan.Run count(RowCursor cursor) throws IOException {
    long start = System.nanoTime();
    try (RowCursor rows = cursor) {
      Iterator<Result> each = rows.iterator();
      while (each.hasNext()) {
        each.next();
      }
      return new QueryPlan.Run(rows.count(), Duration.ofNanos(System.nanoTime() - start));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static byte[] newQueryId() {
    UUID id = UUID.randomUUID();
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private static boolean isAnswered(Optional<QueryPlan.Global> global) {
    return global.filter(g -> !g.index().isEmpty() && g.reason().isEmpty()).isPresent();
  }

  /** What would be decided of the table's parts. */
  private static List<Part> parts(
      BoundQuery query, QueryRun paths, Optional<QueryPlan.Global> global) throws IOException {
    return isAnswered(global) || query.mayBeServedInOrder() || paths.pruned().isEmpty()
        ? List.of()
        : paths.pruned().get().decide();
  }

  private static List<RegionDecision> decisions(BoundPredicate predicate, List<Part> parts) {
    return parts.stream().map(p -> decision(predicate, p)).toList();
  }

  private static RegionDecision decision(BoundPredicate predicate, Part part) {
    Optional<RegionSummary> summary = part.known().map(k -> k.summary().unpacked());
    return new RegionDecision(
        summary.map(RegionSummary::region).orElse(""),
        part.range().start(),
        part.range().stop(),
        part.decision().state(),
        part.decision().reason(),
        summary.filter(RegionSummary::isKnown).map(s -> statistics(predicate, s)).orElse(""));
  }

  private static String statistics(BoundPredicate predicate, RegionSummary summary) {
    List<String> texts = new ArrayList<>();
    for (BoundColumn column : predicate.columns()) {
      ColumnSummary c = summary.union().columns().get(column.name());
      texts.add(column.name() + ": " + (c == null ? "none" : c));
    }
    return String.join("; ", texts);
  }

  /**
   * What regions say; a query that a global index answers asks none of them.
   *
   * @param ran what was decided of parts, if the query ran; regions that were left out say nothing
   */
  private List<RegionPlan> plans(
      BoundQuery query,
      Optional<QueryPlan.Global> global,
      List<Part> ran,
      Supplier<RegionRequest> request,
      String silence)
      throws IOException {
    if (isAnswered(global)) {
      return List.of();
    }
    List<HRegionLocation> asked =
        TableInfo.regions(connection, name).stream()
            .filter(r -> query.rows().overlaps(rangeOf(r.getRegion())))
            .filter(r -> ran.isEmpty() || isRead(rangeOf(r.getRegion()), ran))
            .collect(Collectors.toList());
    if (query.predicate().isEveryRow()) {
      return asked.stream()
          .map(r -> scan(new RegionAnswer<>(r, Optional.empty(), ""), "the query has no condition"))
          .toList();
    }
    return regions.ask(name, asked, request.get(), query::toPlan, RegionPlan::decode).stream()
        .map(a -> a.answer().orElseGet(() -> noPlan(a, silence)))
        .collect(Collectors.toList());
  }

  private static boolean isRead(RowRange region, List<Part> ran) {
    return ran.stream().anyMatch(p -> !p.isPruned() && p.range().overlaps(region));
  }

  private static RowRange rangeOf(RegionInfo region) {
    return new RowRange(region.getStartKey(), region.getEndKey());
  }

  private static RegionPlan noPlan(RegionAnswer<RegionPlan> silent, String silence) {
    return scan(silent, silent.failure().isEmpty() ? silence : "no answer: " + silent.failure());
  }

  private static RegionPlan scan(RegionAnswer<RegionPlan> region, String reason) {
    return new RegionPlan(
        region.region(),
        region.server(),
        Path.SCAN,
        reason,
        "",
        List.of(),
        0,
        0,
        0,
        0,
        Optional.empty());
  }
}
