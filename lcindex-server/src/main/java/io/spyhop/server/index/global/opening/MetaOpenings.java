package io.spyhop.server.index.global.opening;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.server.index.global.opening.LastOpening.Known;
import io.spyhop.server.index.global.opening.LastOpening.Merged;
import io.spyhop.server.index.global.opening.LastOpening.Origin;
import io.spyhop.server.index.global.opening.LastOpening.Parent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateStore;
import org.apache.hadoop.hbase.util.PairOfSameType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads from hbase:meta where regions are open, and were. Thread-safe. */
public final class MetaOpenings {
  private static final Logger LOG = LoggerFactory.getLogger(MetaOpenings.class);

  /** How long an opening region waits: hbase:meta is open before others are. */
  private static final int OPEN_MILLIS = 10_000;

  /** How long a question for built rows waits. */
  private static final int ASK_MILLIS = 2_000;

  /** What HBase gives a daughter or merged region that was not open yet. */
  private static final long FIRST = 1;

  private final IoSupplier<Connection> connections;
  private final Configuration conf;

  /** Asks as the user of the connections. */
  public MetaOpenings(IoSupplier<Connection> connections, Configuration conf) {
    this.connections = connections;
    this.conf = conf;
  }

  private Table meta(int millis) throws IOException {
    return connections
        .get()
        .getTableBuilder(TableName.META_TABLE_NAME, null)
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
      LOG.warn(
          "Cannot tell where {} was open before; its global indexes are built again", region, e);
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

  /** The region that this one is a daughter of; its row stays while daughters refer to it. */
  private List<Origin> parent(Table meta, RegionInfo daughter) throws IOException {
    try (ResultScanner rows =
        meta.getScanner(MetaTableAccessor.getScanForTableName(conf, daughter.getTable()))) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        PairOfSameType<RegionInfo> daughters = MetaTableAccessor.getDaughterRegions(row);
        if (daughter.equals(daughters.getFirst()) || daughter.equals(daughters.getSecond())) {
          return known(row)
              .<List<Origin>>map(k -> List.of(new Parent(k.region(), k.server(), k.seqNum())))
              .orElse(List.of());
        }
      }
    }
    return List.of();
  }

  private List<Origin> parents(List<RegionInfo> merged) throws IOException {
    List<Origin> parents = new ArrayList<>();
    for (RegionInfo parent : merged) {
      parents.add(new Merged(parent.getEncodedName(), SequenceNumbers.last(conf, parent)));
    }
    return parents;
  }

  /**
   * Whether a table is not there or disabled, so that none of its regions is open. Never throws;
   * what cannot be told is no.
   */
  public boolean isAway(TableName table) {
    Get state =
        new Get(table.getName())
            .addColumn(HConstants.TABLE_FAMILY, HConstants.TABLE_STATE_QUALIFIER);
    try (Table meta = meta(ASK_MILLIS)) {
      TableState found = MetaTableAccessor.getTableState(meta.get(state));
      return found == null || found.inStates(TableState.State.DISABLED);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot tell whether {} is there", table, e);
      return false;
    }
  }

  /** Which of these marks speak of the opening that the region has now, all others open nowhere. */
  public Set<OpeningMark> present(List<OpeningMark> marks) throws IOException {
    Set<OpeningMark> present = new HashSet<>();
    List<Get> gets = marks.stream().map(m -> get(m.regionName())).toList();
    try (Table meta = meta(ASK_MILLIS)) {
      Result[] rows = meta.get(gets);
      for (int i = 0; i < rows.length; i++) {
        OpeningMark mark = marks.get(i);
        if (isOpen(rows[i])
            && known(rows[i]).filter(k -> mark.isOf(k.server(), k.seqNum())).isPresent()) {
          present.add(mark);
        }
      }
    }
    return present;
  }

  private static boolean isOpen(Result row) {
    RegionInfo info = row.isEmpty() ? null : MetaTableAccessor.getRegionInfo(row);
    return info != null
        && !info.isSplit()
        && RegionStateStore.getRegionState(row, info) == RegionState.State.OPEN;
  }
}
