package io.spyhop.cli.console;

import io.spyhop.cli.console.Snapshot.Estimate;
import io.spyhop.cli.console.Snapshot.Index;
import io.spyhop.cli.console.Snapshot.Slow;
import io.spyhop.client.IndexStatus;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.SlowQuery;
import io.spyhop.core.schema.IndexDefinition;
import java.util.List;

/** What the client's API says, as the page has it. Stateless. */
final class Statuses {
  private static final double NANOS_PER_MILLI = 1e6;

  private Statuses() {}

  static Index of(IndexStatus status) {
    if (status instanceof IndexStatus.Local s) {
      return index(
          s,
          new Cover(s.covered(), s.files(), "HFiles", s.regionsAnswered()),
          s.entries(),
          s.undecodable(),
          s.ifileBytes() + s.sfileBytes(),
          s.pending(),
          null);
    }
    if (status instanceof IndexStatus.Global s) {
      Long upTo = s.repairedUpTo() > 0 ? s.repairedUpTo() : null;
      Cover cover = new Cover(s.built(), s.regions(), "regions built", null);
      return index(s, cover, null, null, null, s.repairs(), upTo);
    }
    IndexStatus.Statistics s = (IndexStatus.Statistics) status;
    Cover cover = new Cover(s.known(), s.regions(), "regions known", null);
    return index(s, cover, null, null, s.bytes(), null, null);
  }

  /** How far an index is. */
  private record Cover(long done, long of, String unit, Integer answered) {}

  private static Index index(
      IndexStatus status,
      Cover cover,
      Long entries,
      Long undecodable,
      Long bytes,
      Integer pending,
      Long repairedUpTo) {
    IndexDefinition d = status.definition();
    return new Index(
        d.name(),
        d.kind().name(),
        d.column().toString(),
        d.type().name(),
        status.state().name(),
        cover.done,
        cover.of,
        cover.unit,
        cover.answered,
        status.regions(),
        entries,
        undecodable,
        bytes,
        pending,
        repairedUpTo,
        status.errors());
  }

  static Slow of(SlowQuery query) {
    RegionPlan plan = query.plan();
    RegionPlan.Actual did =
        plan.actual().orElseGet(() -> new RegionPlan.Actual(0, 0, 0, 0, 0, 0, ""));
    List<Estimate> estimates =
        plan.estimates().stream()
            .map(e -> new Estimate(e.index(), e.records(), e.filesCovered(), e.filesMissing()))
            .toList();
    return new Slow(
        query.endedAt(),
        query.table(),
        query.predicate(),
        plan.region(),
        plan.server(),
        plan.path().name(),
        plan.driving(),
        plan.reason(),
        did.fallback(),
        did.nanos() / NANOS_PER_MILLI,
        did.rows(),
        did.records(),
        did.candidates(),
        did.rereads(),
        did.uncoveredCells(),
        plan.scanCells(),
        plan.filesCovered(),
        plan.filesMissing(),
        plan.memstoreCells(),
        estimates);
  }
}
