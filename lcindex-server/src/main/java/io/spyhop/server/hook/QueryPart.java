package io.spyhop.server.hook;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.PlanRequest;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.server.bucket.BucketPart;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import io.spyhop.server.index.local.upkeep.LocalPart;
import io.spyhop.server.index.stats.StatisticsPart;
import io.spyhop.server.query.RegionQueries;
import io.spyhop.server.query.plan.Declarations;
import io.spyhop.server.query.scan.QueryEnvironment;
import io.spyhop.server.query.scan.RefusedScanner;
import io.spyhop.server.runtime.RegionSchema;
import io.spyhop.server.runtime.ServerRuntime;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/** Answers a region's scans, while it is open, from what the other parts keep. Thread-safe. */
final class QueryPart implements RegionPart {
  private static final byte[] NOTHING = {};

  private final RegionContext context;
  private volatile DefinitionsPart definitions;
  private volatile RegionQueries queries;

  QueryPart(RegionContext context) {
    this.context = context;
  }

  @Override
  public void opened() {
    definitions = context.part(DefinitionsPart.class);
    queries =
        new RegionQueries(
            context.region(),
            context.service(ServerRuntime.class).serverName(),
            context.part(LocalPart.class).maintainer().indexes(),
            context.part(StatisticsPart.class).statistics(),
            context.service(QueryEnvironment.class));
  }

  /** The table's definitions; empty before the region is open, and when it closes. */
  private Optional<RegionSchema> schema() {
    return queries == null ? Optional.empty() : definitions.schema();
  }

  /** Whether the region is open and does not close yet. */
  boolean isOpen() {
    return schema().isPresent();
  }

  @Override
  public RegionScanner scan(
      ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner core)
      throws IOException {
    try {
      context.part(BucketPart.class).requireBelieved(scan);
      Optional<RegionSchema> schema = schema();
      if (schema.isEmpty()) {
        return RegionQueries.unopened(scan, core);
      }
      Declarations declarations = Definitions.seenBy(c, schema.get());
      queries.checkDeclared(scan, declarations);
      return queries.aggregates().open(scan, core, declarations, () -> queries.open(scan, core));
    } catch (IOException e) {
      return RefusedScanner.of(context.region(), e, scan, core);
    }
  }

  /** Rows that a global index has found are read by Gets with the query's predicate. */
  @Override
  public void read(ObserverContext<RegionCoprocessorEnvironment> c, Get get) throws IOException {
    Optional<RegionSchema> schema = schema();
    if (schema.isPresent() && get.getAttribute(Attributes.DECLARED) != null) {
      queries.checkDeclared(get, Definitions.seenBy(c, schema.get()));
    }
  }

  @Override
  public byte[] answer(RegionRequest request, Get get) throws IOException {
    return switch (request.kind()) {
      case EXPLAIN -> queries.explain(PlanRequest.decode(request.payload()), get).encode();
      case REPORT -> queries.report(request.payload()).map(RegionPlan::encode).orElse(NOTHING);
      default -> null;
    };
  }

  @Override
  public String toString() {
    return context.region().toString();
  }
}
