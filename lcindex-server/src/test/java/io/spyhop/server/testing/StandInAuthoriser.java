package io.spyhop.server.testing;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * Decides who may do what in user tables as other security systems do, and is none of HBase's: by
 * the users' names, which are constants here. All others may everything. It answers neither for
 * endpoints nor for restored snapshots.
 */
public final class StandInAuthoriser
    implements RegionCoprocessor, RegionObserver, MasterCoprocessor, MasterObserver {
  /** May nothing. */
  public static final String REFUSED = "refused";

  /** A user whose reads get a filter: rows that begin with {@code a}. */
  public static final String FILTERED = "filtered";

  /** A user whose scans are cut to older cells. */
  public static final String CUT = "cut";

  /** May get rows, but scan none. */
  public static final String GETTING = "getting";

  /** May scan nothing that names column {@code f:v}. */
  public static final String BLIND = "blind";

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] A = Bytes.toBytes("a");

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  private static boolean isUsers(ObserverContext<RegionCoprocessorEnvironment> c) {
    return !c.getEnvironment().getRegionInfo().getTable().isSystemTable();
  }

  private static boolean is(ObserverContext<?> c, String name) {
    return c.getCaller().map(User::getShortName).filter(name::equals).isPresent();
  }

  private static void refuse(ObserverContext<?> c, String name) throws AccessDeniedException {
    if (is(c, name)) {
      throw new AccessDeniedException("the stand-in refuses " + name);
    }
  }

  private static Filter filtered(Filter own) {
    Filter rows = new PrefixFilter(A);
    return own == null ? rows : new FilterList(rows, own);
  }

  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result)
      throws IOException {
    if (isUsers(c)) {
      refuse(c, REFUSED);
      if (is(c, FILTERED)) {
        get.setFilter(filtered(get.getFilter()));
      }
    }
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan)
      throws IOException {
    if (!isUsers(c)) {
      return;
    }
    refuse(c, REFUSED);
    refuse(c, GETTING);
    NavigableSet<byte[]> qualifiers = scan.getFamilyMap().get(F);
    if (qualifiers != null && qualifiers.contains(V)) {
      refuse(c, BLIND);
    }
    if (is(c, FILTERED)) {
      scan.setFilter(filtered(scan.getFilter()));
    }
    if (is(c, CUT)) {
      scan.setTimeRange(0, 1_000_000_000_000L);
    }
  }

  @Override
  public void prePut(
      ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit, Durability durability)
      throws IOException {
    if (isUsers(c)) {
      refuse(c, REFUSED);
    }
  }

  @Override
  public void preTableFlush(ObserverContext<MasterCoprocessorEnvironment> c, TableName table)
      throws IOException {
    refuse(c, REFUSED);
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName table,
      TableDescriptor before,
      TableDescriptor after)
      throws IOException {
    refuse(c, REFUSED);
    return after;
  }
}
