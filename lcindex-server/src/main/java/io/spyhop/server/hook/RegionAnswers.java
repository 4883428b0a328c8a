package io.spyhop.server.hook;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.access.ColumnAccess;
import io.spyhop.server.index.local.upkeep.LocalPart;
import io.spyhop.server.index.local.upkeep.RegionMaintainer;
import io.spyhop.server.runtime.RegionSchema;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.Optional;
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
  static byte[] answer(ObserverContext<RegionCoprocessorEnvironment> c, Get get, RegionParts parts)
      throws IOException {
    RegionRequest request = RegionRequest.decode(get.getAttribute(Attributes.REQUEST));
    RegionMaintainer m = parts.find(LocalPart.class).map(LocalPart::maintainer).orElse(null);
    if (request.kind() == RegionRequest.Kind.DEFINITIONS) {
      Optional<RegionSchema> known =
          parts.find(DefinitionsPart.class).flatMap(DefinitionsPart::schema);
      return Definitions.answer(c, known, request.payload()).encode();
    }
    if (m == null || parts.find(QueryPart.class).filter(QueryPart::isOpen).isEmpty()) {
      return NOTHING;
    }
    if (request.kind() == RegionRequest.Kind.REFRESH) {
      parts.refresh(ColumnAccess.mayChange(m.region()));
    }
    if (!mayReadAll(c, get)) {
      return NOTHING;
    }
    return switch (request.kind()) {
      case REFRESH, STATUS -> status(m.status(), parts).encode();
      case ROWS -> SmallScan.run(m.region(), request).encode();
      default -> answered(request, parts.answer(request, get));
    };
  }

  private static byte[] answered(RegionRequest request, byte[] answer) throws IOException {
    if (answer == null) {
      throw new CorruptFrameException("region request of kind " + request.kind());
    }
    return answer;
  }

  private static RegionStatus status(RegionStatus region, RegionParts parts) {
    return new RegionStatus(region.region(), region.server(), parts.states(), region.unreadable());
  }
}
