package io.spyhop.server.hook;

import io.spyhop.core.prune.SummaryRequest;
import io.spyhop.core.region.Attributes;
import io.spyhop.core.region.PlanRequest;
import io.spyhop.core.region.RegionPlan;
import io.spyhop.core.region.RegionRequest;
import io.spyhop.core.region.RegionStatus;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.access.ColumnAccess;
import io.spyhop.server.global.RegionGlobals;
import io.spyhop.server.job.RegionMaintainer;
import io.spyhop.server.query.RegionQueries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.Superusers;

/** Answers a region's questions that travel on Gets. Stateless; thread-safe. */
final class RegionAnswers {
  private static final byte[] NOTHING = {};

  private RegionAnswers() {}

  /**
   * Whether who sent a Get may read the whole table. Access control has allowed every family that
   * the Get selects whole, and puts a filter on it otherwise; visibility labels put a filter on
   * every Get, which lets superusers see everything. Others may have allowed the Get for its row's
   * sake, and are asked about all rows.
   */
  private static boolean mayReadAll(ObserverContext<RegionCoprocessorEnvironment> c, Get get)
      throws IOException {
    HRegion region = (HRegion) c.getEnvironment().getRegion();
    TableDescriptor table = region.getTableDescriptor();
    for (byte[] family : table.getColumnFamilyNames()) {
      NavigableSet<byte[]> qualifiers = get.getFamilyMap().get(family);
      boolean selected = get.getFamilyMap().containsKey(family);
      if (!selected || qualifiers != null && !qualifiers.isEmpty()) {
        return false;
      }
    }
    boolean unfiltered = get.getFilter() == null;
    return (unfiltered || c.getCaller().filter(Superusers::isSuperUser).isPresent())
        && ColumnAccess.seesEveryRow(region);
  }

  /**
   * The answer to a {@link RegionRequest}; nothing where the region has no indexes, or where the
   * caller may not know.
   */
  static byte[] answer(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Get get,
      RegionMaintainer m,
      RegionQueries q,
      RegionGlobals g,
      StatisticsHooks s)
      throws IOException {
    RegionRequest request = RegionRequest.decode(get.getAttribute(Attributes.REQUEST));
    if (request.kind() == RegionRequest.Kind.DEFINITIONS) {
      return Definitions.answer(c, m, request.payload()).encode();
    }
    if (m == null || q == null) {
      return NOTHING;
    }
    if (request.kind() == RegionRequest.Kind.REFRESH) {
      m.refreshForCall(ColumnAccess.mayChange(m.region()));
      g.doubt();
    }
    if (!mayReadAll(c, get)) {
      return NOTHING;
    }
    return switch (request.kind()) {
      case REFRESH, STATUS -> with(m.status(), m, g).encode();
      case EXPLAIN -> q.explain(PlanRequest.decode(request.payload()), get).encode();
      case REPORT -> q.report(request.payload()).map(RegionPlan::encode).orElse(NOTHING);
      case SUMMARY -> s.statistics().answer(SummaryRequest.decode(request.payload())).encode();
      default -> throw new CorruptFrameException("region request of kind " + request.kind());
    };
  }

  private static RegionStatus with(
      RegionStatus local, RegionMaintainer maintainer, RegionGlobals globals) {
    List<RegionStatus.IndexState> all = new ArrayList<>(local.indexes());
    all.addAll(globals.states());
    all.addAll(maintainer.statisticsStates());
    return new RegionStatus(local.region(), local.server(), all, local.unreadable());
  }
}
