package io.spyhop.client.admin;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.client.global.IndexCalls;
import io.spyhop.client.global.Refusals;
import io.spyhop.core.global.BuiltRanges;
import io.spyhop.core.global.GlobalIndexRequest;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.region.RegionRequest;
import io.spyhop.core.region.RegionRequest.Kind;
import io.spyhop.core.region.RegionStatus;
import io.spyhop.core.region.ServerCalls;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the master create and drop global indexes, and says how far they are. Thread-safe. */
public final class GlobalIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalIndexes.class);

  /** How often a request is repeated whose answer takes too long; it has no other effect. */
  private static final int ATTEMPTS = 5;

  private final Connection connection;

  /** Calls through a connection, which stays the caller's. */
  public GlobalIndexes(Connection connection) {
    this.connection = connection;
  }

  /** Has an index created, and returns when the regions that can be reached know of it. */
  public void create(Admin admin, TableName table, IndexDefinition index, List<byte[]> splits)
      throws IOException {
    ask(admin, ServerCalls.CREATE_QUESTION, new GlobalIndexRequest(table, index, splits));
  }

  /** Has an index dropped, its table included. */
  public void drop(Admin admin, TableName table, IndexDefinition index) throws IOException {
    ask(admin, ServerCalls.DROP_QUESTION, new GlobalIndexRequest(table, index, List.of()));
  }

  private static void ask(Admin admin, String question, GlobalIndexRequest request)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        ServerCalls.ask(admin.coprocessorService(), question, request.encode());
        return;
      } catch (CallTimeoutException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        LOG.info("The master is still busy: {} {}", question, request.index().name(), e);
      }
    }
  }

  /** How far an index is: its table's notes against the base table's regions. */
  public IndexStatus status(TableName table, IndexDefinition index) throws IOException {
    List<HRegionLocation> regions = TableInfo.regions(connection, table);
    try {
      BuiltRanges built = new IndexCalls(connection, table).built(index);
      int covered = (int) regions.stream().filter(r -> covers(built, r)).count();
      State state = built.isComplete() ? State.ACTIVE : State.BUILDING;
      return status(index, state, covered, ask(table, index, regions, built));
    } catch (TableNotFoundException e) {
      LOG.debug("Index {} of table {} has no table", index, table, e);
      return absent(index, regions.size(), "has no table '" + nameOf(table, index) + "'");
    } catch (DoNotRetryIOException e) {
      return refused(table, index, regions.size(), e);
    }
  }

  /**
   * What the regions say. Those that are not built read the definitions again: one that has not
   * heard of the index builds nothing.
   */
  private IndexStatus ask(
      TableName table, IndexDefinition index, List<HRegionLocation> regions, BuiltRanges built)
      throws IOException {
    List<RegionAnswer<RegionStatus>> answers =
        new RegionCalls(connection)
            .ask(
                table,
                regions,
                r -> RegionRequest.of(covers(built, r) ? Kind.STATUS : Kind.REFRESH),
                RegionCalls.TIMEOUT,
                RegionStatus::decode);
    return StatusSummary.of(index, answers);
  }

  private static IndexStatus status(
      IndexDefinition index, State state, int covered, IndexStatus said) {
    return new IndexStatus(
        index,
        state,
        said.regions(),
        covered,
        said.regions(),
        covered,
        0,
        0,
        0,
        0,
        0,
        said.pending(),
        said.repairedUpTo(),
        said.errors());
  }

  private IndexStatus refused(
      TableName table, IndexDefinition index, int regions, DoNotRetryIOException refusal)
      throws IOException {
    TableDescriptor found = TableInfo.descriptor(connection, nameOf(table, index));
    if (!IndexTable.holds(found, index)) {
      return absent(index, regions, "finds another index in table '" + found.getTableName() + "'");
    }
    return without(index, regions, Refusals.text(refusal));
  }

  private static TableName nameOf(TableName table, IndexDefinition index) {
    return IndexTable.nameOf(table, index.name());
  }

  private static boolean covers(BuiltRanges built, HRegionLocation region) {
    return built.covers(region.getRegion().getStartKey(), region.getRegion().getEndKey());
  }

  private static IndexStatus absent(IndexDefinition index, int regions, String why) {
    return without(index, regions, "the index " + why + ": rebuild it (spyhop index rebuild)");
  }

  private static IndexStatus without(IndexDefinition index, int regions, String error) {
    return new IndexStatus(
        index, State.BUILDING, regions, 0, regions, 0, 0, 0, 0, 0, 0, 0, 0, List.of(error));
  }
}
