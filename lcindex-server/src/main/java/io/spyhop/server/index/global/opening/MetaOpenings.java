package io.spyhop.server.index.global.opening;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.server.index.global.opening.LastOpening.Known;
import io.spyhop.server.index.global.opening.LastOpening.Merged;
import io.spyhop.server.index.global.opening.LastOpening.Origin;
import io.spyhop.server.index.global.opening.LastOpening.Parent;
import io.spyhop.server.runtime.Complaints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateStore;
import org.apache.hadoop.hbase.util.PairOfSameType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads from hbase:meta where regions are open, and were. Thread-safe. */
public final class MetaOpenings implements ReportedOpenings {
  private static final Logger LOG = LoggerFactory.getLogger(MetaOpenings.class);

  private static final TableName META = TableName.META_TABLE_NAME;

  /** How long an opening region waits: hbase:meta is open before others are. */
  private static final int OPEN_MILLIS = 10_000;

  /** How long a question for built rows waits. */
  private static final int ASK_MILLIS = 2_000;

  /** More rows are found by a scan. */
  private static final int MOST_GETS = 64;

  /** Rows of one call of such a scan: 1 MB, about. */
  private static final int SCANNED = 1_000;

  /** Of a look back, where the second row is the one or the last. */
  private static final int FEW_ROWS = 4;

  /** What HBase gives a daughter or merged region that was not open yet. */
  private static final long FIRST = 1;

  private final IoSupplier<Connection> connections;
  private final Configuration conf;
  private final Complaints complaints;

  /** Asks as the user of the connections. */
  public MetaOpenings(
      IoSupplier<Connection> connections, Configuration conf, Complaints complaints) {
    this.connections = connections;
    this.conf = conf;
    this.complaints = complaints;
  }

  private Table meta(int millis) throws IOException {
    return connections
        .get()
        .getTableBuilder(META, null)
        .setOperationTimeout(millis)
        .setRpcTimeout(millis)
        .setReadRpcTimeout(millis)
        .build();
  }

  /**
   * The opening before the one that is under way: it is overwritten when that one is reported, so
   * this is to be asked within the opening. Never throws; what cannot be told is unknown.
   */
  public LastOpening before(RegionInfo region) {
    try (Table meta = meta(OPEN_MILLIS)) {
      Result row = meta.get(get(region.getRegionName()));
      Optional<Known> itself = known(row);
      if (itself.isPresent()) {
        return new LastOpening(List.of(itself.get()));
      }
      List<RegionInfo> merged =
          row.isEmpty() ? null : MetaTableAccessor.getMergeRegions(row.rawCells());
      return new LastOpening(
          merged == null || merged.isEmpty() ? parent(meta, region) : parents(merged));
    } catch (IOException | RuntimeException e) {
      complaints.warn(
          LOG,
          "Asking where regions were open",
          "global indexes are built again",
          region.getTable(),
          region,
          e);
      return LastOpening.UNKNOWN;
    }
  }

  private static Get get(byte[] region) {
    return new Get(region).addFamily(HConstants.CATALOG_FAMILY);
  }

  private static Optional<Known> known(Result row) {
    RegionLocations locations = row.isEmpty() ? null : MetaTableAccessor.getRegionLocations(row);
    HRegionLocation at = locations == null ? null : locations.getDefaultRegionLocation();
    return at == null || at.getServerName() == null || at.getSeqNum() <= FIRST
        ? Optional.empty()
        : Optional.of(
            new Known(at.getRegion().getEncodedName(), at.getServerName(), at.getSeqNum()));
  }

  /**
   * The region that this one is a daughter of; its row stays while daughters refer to it. Between
   * the two rows are at most the other daughter's, which has the same number, and of regions that
   * came of that one later. So of a new table's regions each looks at two rows.
   */
  private List<Origin> parent(Table meta, RegionInfo daughter) throws IOException {
    int siblings = 0;
    try (ResultScanner rows = meta.getScanner(rowsBefore(daughter))) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        PairOfSameType<RegionInfo> daughters = MetaTableAccessor.getDaughterRegions(row);
        if (daughter.equals(daughters.getFirst()) || daughter.equals(daughters.getSecond())) {
          return known(row)
              .<List<Origin>>map(k -> List.of(new Parent(k.region(), k.server(), k.seqNum())))
              .orElse(List.of());
        }
        RegionInfo other = MetaTableAccessor.getRegionInfo(row);
        long number = other == null ? Long.MIN_VALUE : other.getRegionId();
        siblings += number == daughter.getRegionId() ? 1 : 0;
        if (number < daughter.getRegionId() || siblings > 1) {
          return List.of();
        }
      }
    }
    return List.of();
  }

  /** The next one first. */
  private Scan rowsBefore(RegionInfo region) throws IOException {
    Scan ofTable = MetaTableAccessor.getScanForTableName(conf, region.getTable());
    return new Scan(ofTable)
        .setReversed(true)
        .withStartRow(region.getRegionName(), /* inclusive= */ false)
        .withStopRow(ofTable.getStartRow())
        .setCaching(FEW_ROWS);
  }

  private List<Origin> parents(List<RegionInfo> merged) throws IOException {
    List<Origin> parents = new ArrayList<>();
    for (RegionInfo parent : merged) {
      parents.add(new Merged(parent.getEncodedName(), SequenceNumbers.last(conf, parent)));
    }
    return parents;
  }

  private static Get stateOf(TableName table) {
    return new Get(table.getName())
        .addColumn(HConstants.TABLE_FAMILY, HConstants.TABLE_STATE_QUALIFIER);
  }

  /**
   * Whether nobody can read a table's first region: it is not there, disabled, or being opened.
   * Never throws; what cannot be told is no.
   */
  public boolean isAway(TableName table) {
    try (Table meta = meta(ASK_MILLIS)) {
      TableState state = MetaTableAccessor.getTableState(meta.get(stateOf(table)));
      return state == null
          || state.inStates(TableState.State.DISABLED)
          || !isFirstOpen(meta, table);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot tell whether {} is there", table, e);
      return false;
    }
  }

  /** In the midst of splits and merges several regions are the first one. */
  private boolean isFirstOpen(Table meta, TableName table) throws IOException {
    try (ResultScanner rows = meta.getScanner(MetaTableAccessor.getScanForTableName(conf, table))) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        RegionInfo info = MetaTableAccessor.getRegionInfo(row);
        if (info != null && info.getStartKey().length > 0) {
          return false;
        }
        if (info != null && RegionStateStore.getRegionState(row, info) == RegionState.State.OPEN) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public Map<OpeningMark, Presence> present(
      Collection<OpeningMark> marks, Predicate<ServerName> watches) throws IOException {
    Map<OpeningMark, Presence> present = new HashMap<>();
    try (Table meta = meta(ASK_MILLIS)) {
      Map<ByteBuffer, Result> rows = rows(meta, marks);
      for (OpeningMark m : marks) {
        Result row = rows.getOrDefault(ByteBuffer.wrap(m.regionName()), Result.EMPTY_RESULT);
        presence(m, row, watches).ifPresent(p -> present.put(m, p));
      }
      if (present.containsValue(Presence.MOVING) && !isEnabled(meta, tableOf(marks))) {
        present.values().removeIf(p -> p == Presence.MOVING);
      }
    } catch (IOException e) {
      complaints.warn(
          LOG, "Asking where regions are open", "indexes may seem unbuilt", META, "a question", e);
      throw e;
    }
    return present;
  }

  static Optional<Presence> presence(OpeningMark mark, Result row, Predicate<ServerName> watches) {
    RegionInfo info = row.isEmpty() ? null : MetaTableAccessor.getRegionInfo(row);
    Optional<Known> last = info == null || info.isSplit() ? Optional.empty() : known(row);
    if (last.isEmpty()) {
      return Optional.empty();
    }
    RegionState.State state = RegionStateStore.getRegionState(row, info);
    ServerName target = MetaTableAccessor.getTargetServerName(row, RegionInfo.DEFAULT_REPLICA_ID);
    boolean isLast = mark.isOf(last.get().server(), last.get().seqNum());
    if (state == RegionState.State.OPEN) {
      return isLast ? Optional.of(Presence.OPEN) : Optional.empty();
    }
    boolean counts =
        state == RegionState.State.OPENING
            ? isNext(mark, last.get(), target) || isLast && isLeft(mark, target, watches)
            : isLast && mark.server().equals(target);
    return counts ? Optional.of(Presence.MOVING) : Optional.empty();
  }

  /** Whether a mark is of the opening that is under way. */
  private static boolean isNext(OpeningMark mark, Known last, ServerName target) {
    return mark.isOpen() && mark.server().equals(target) && mark.openSeqNum() > last.seqNum();
  }

  /**
   * Whether the opening that is under way goes on from a mark: the server may have taken writes
   * that hbase:meta does not know of yet. If it dies then, its name is still the region's target.
   */
  private static boolean isLeft(
      OpeningMark mark, ServerName target, Predicate<ServerName> watches) {
    return mark.hasClosed() && target != null && watches.test(target);
  }

  private static TableName tableOf(Collection<OpeningMark> marks) {
    return RegionInfo.getTable(marks.iterator().next().regionName());
  }

  /** Many rows cost less as a scan of all of the table. */
  private Map<ByteBuffer, Result> rows(Table meta, Collection<OpeningMark> marks)
      throws IOException {
    Map<ByteBuffer, Result> rows = new HashMap<>();
    if (marks.size() <= MOST_GETS) {
      for (Result r : meta.get(marks.stream().map(m -> get(m.regionName())).toList())) {
        if (!r.isEmpty()) {
          rows.put(ByteBuffer.wrap(r.getRow()), r);
        }
      }
      return rows;
    }
    Scan all = MetaTableAccessor.getScanForTableName(conf, tableOf(marks)).setCaching(SCANNED);
    try (ResultScanner found = meta.getScanner(all)) {
      for (Result r = found.next(); r != null; r = found.next()) {
        rows.put(ByteBuffer.wrap(r.getRow()), r);
      }
    }
    return rows;
  }

  private static boolean isEnabled(Table meta, TableName table) throws IOException {
    TableState state = MetaTableAccessor.getTableState(meta.get(stateOf(table)));
    return state != null && state.inStates(TableState.State.ENABLED);
  }
}
