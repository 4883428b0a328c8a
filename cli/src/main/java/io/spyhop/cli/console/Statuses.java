package io.spyhop.cli.console;

import io.spyhop.cli.console.Snapshot.Buckets;
import io.spyhop.cli.console.Snapshot.Estimate;
import io.spyhop.cli.console.Snapshot.Index;
import io.spyhop.cli.console.Snapshot.Rebalance;
import io.spyhop.cli.console.Snapshot.Share;
import io.spyhop.cli.console.Snapshot.Slow;
import io.spyhop.cli.console.Snapshot.View;
import io.spyhop.client.BucketInfo;
import io.spyhop.client.IndexStatus;
import io.spyhop.client.ViewStatus;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.SlowQuery;
import io.spyhop.core.schema.IndexDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Translates answers of the client's API into the JSON of the page. Stateless. */
final class Statuses {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int MAX_PROBLEMS = 5;

  private Statuses() {}

  static Index of(IndexStatus status) {
    if (status instanceof IndexStatus.Local s) {
      Cover cover = new Cover(s.covered(), s.files(), "HFiles", s.regionsAnswered());
      if (s.regionsAnswered() == 0 && s.regions() > 0) {
        return index(s, cover, null, null, null, null, null); // sums over nothing are not zero
      }
      long bytes = s.ifileBytes() + s.sfileBytes();
      return index(s, cover, s.entries(), s.undecodable(), bytes, s.pending(), null);
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

  /** The progress of an index. */
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
        status.build().map(IndexStatus.Build::toString).orElse(null),
        status.errors());
  }

  static Slow of(SlowQuery query) {
    RegionPlan plan = query.plan();
    Optional<RegionPlan.Actual> did = plan.actual();
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
        did.map(RegionPlan.Actual::fallback).orElse(null),
        did.map(d -> d.nanos() / NANOS_PER_MILLI).orElse(null),
        did.map(RegionPlan.Actual::rows).orElse(null),
        did.map(RegionPlan.Actual::records).orElse(null),
        did.map(RegionPlan.Actual::candidates).orElse(null),
        did.map(RegionPlan.Actual::rereads).orElse(null),
        did.map(RegionPlan.Actual::uncoveredCells).orElse(null),
        plan.scanCells(),
        plan.filesCovered(),
        plan.filesMissing(),
        plan.memstoreCells(),
        estimates);
  }

  /** A line for each family. */
  static List<View> views(List<ViewStatus> regions) {
    Map<String, List<ViewStatus>> families =
        regions.stream()
            .collect(Collectors.groupingBy(ViewStatus::family, TreeMap::new, Collectors.toList()));
    return families.values().stream().map(Statuses::view).toList();
  }

  private static View view(List<ViewStatus> regions) {
    List<ViewStatus> answered = regions.stream().filter(ViewStatus::isPossible).toList();
    return new View(
        regions.get(0).family(),
        regions.size(),
        answered.size(),
        answered.stream().mapToLong(ViewStatus::hfiles).sum(),
        answered.stream().mapToLong(ViewStatus::inView).sum(),
        answered.stream().mapToLong(ViewStatus::bytes).sum(),
        (int) answered.stream().filter(ViewStatus::isPending).count(),
        regions.stream()
            .map(ViewStatus::problem)
            .filter(p -> !p.isEmpty())
            .distinct()
            .limit(MAX_PROBLEMS)
            .toList());
  }

  static Buckets buckets(List<BucketInfo> buckets) {
    Map<String, List<BucketInfo>> servers =
        buckets.stream()
            .filter(b -> b.server().isPresent())
            .collect(
                Collectors.groupingBy(
                    b -> b.server().get().getServerName(), TreeMap::new, Collectors.toList()));
    List<Share> shares =
        servers.entrySet().stream().map(e -> share(e.getKey(), e.getValue())).toList();
    int homeless = (int) buckets.stream().filter(b -> b.server().isEmpty()).count();
    return new Buckets(buckets.size(), homeless, shares);
  }

  static Rebalance rebalance(RebalanceState state) {
    return new Rebalance(
        state.phase().name(),
        state.phase().isOpen(),
        state.user(),
        state.since(),
        state.moved(),
        state.moves().size() - state.moved() + state.left().size(),
        state.missing(),
        state.blockedMillis(),
        state.note());
  }

  private static Share share(String server, List<BucketInfo> buckets) {
    boolean known = buckets.stream().allMatch(b -> b.bytes().isPresent());
    long bytes = buckets.stream().mapToLong(b -> b.bytes().orElse(0L)).sum();
    return new Share(server, buckets.size(), known ? bytes : null);
  }
}
