package io.spyhop.client.internal.admin;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.client.internal.global.Bounded;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.client.internal.global.Refusals;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.GlobalIndexRequest;
import io.spyhop.core.protocol.OrphanTables;
import io.spyhop.core.protocol.Protocol;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionRequest.Kind;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.InvalidIndexException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the master create and drop global indexes, and says how far they are. Thread-safe. */
public final class GlobalIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalIndexes.class);

  /** For how long a request is repeated that has no answer; it has no other effect. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Connection connection;
  private final Poll poll;

  /** Calls through a connection, which stays the caller's. */
  public GlobalIndexes(Connection connection) {
    this(connection, Poll.inRealTime());
  }

  /**
   * Calls through a connection, which stays the caller's.
   *
   * @param poll how time passes between requests
   */
  public GlobalIndexes(Connection connection, Poll poll) {
    this.connection = connection;
    this.poll = poll;
  }

  /** Has an index created, and returns when the regions that can be reached know of it. */
  public void create(Admin admin, TableName table, IndexDefinition index, List<byte[]> splits)
      throws IOException {
    ask(admin, Question.CREATE, new GlobalIndexRequest(table, index, splits));
  }

  /** Has an index dropped, its table included. */
  public void drop(Admin admin, TableName table, IndexDefinition index) throws IOException {
    ask(admin, Question.DROP, new GlobalIndexRequest(table, index, List.of()));
  }

  /**
   * Has an index made anew, as one operation of the master.
   *
   * @param index with the new incarnation
   * @throws DoNotRetryIOException if the master is of a version that does not know of it
   */
  public void rebuild(Admin admin, TableName table, IndexDefinition index, List<byte[]> splits)
      throws IOException {
    requireRebuilds(admin);
    ask(admin, Question.REBUILD, new GlobalIndexRequest(table, index, splits));
  }

  /** A master of the version before does not know the question, and answers that alone. */
  private static void requireRebuilds(Admin admin) throws IOException {
    byte[] none = {};
    byte[] said = ServerCalls.ask(admin.coprocessorService(), Question.VERSION, none);
    String protocol = new String(said, StandardCharsets.US_ASCII);
    if (protocol.equals(Integer.toString(Protocol.BEFORE_REBUILDS))) {
      throw new DoNotRetryIOException(
          "master "
              + admin.getMaster()
              + " runs a version of Spyhop that does not rebuild global indexes: upgrade the master"
              + " first, or drop the index and create it");
    }
  }

  /** The index tables that no definition names. */
  public List<OrphanTables.Orphan> orphans(Admin admin) throws IOException {
    byte[] none = {};
    return OrphanTables.decode(ServerCalls.ask(admin.coprocessorService(), Question.ORPHANS, none))
        .orphans();
  }

  /** Drops one of them. */
  public void dropOrphan(Admin admin, TableName table) throws IOException {
    ServerCalls.ask(
        admin.coprocessorService(),
        Question.DROP_ORPHAN,
        table.getNameAsString().getBytes(StandardCharsets.UTF_8));
  }

  /** Asks until there is an answer: the master may be busy, or another one takes over. */
  private void ask(Admin admin, Question question, GlobalIndexRequest request) throws IOException {
    Retry.until(
        poll,
        PATIENCE,
        question + " '" + request.index().name() + "' of table '" + request.table() + "'",
        () -> ServerCalls.ask(admin.coprocessorService(), question, request.encode()));
  }

  /**
   * How far an index is: its table's notes against the base table's regions. An index that does not
   * answer, or not to this caller, is BUILDING, and the errors say why.
   *
   * @param patience of the look at the table
   */
  IndexStatus status(TableName table, IndexDefinition index, Patience patience) throws IOException {
    List<HRegionLocation> regions = TableInfo.regions(connection, table);
    if (TableInfo.isDisabled(connection, table)) {
      return without(index, regions.size(), TableInfo.disabled(table));
    }
    try {
      IndexCalls calls = new IndexCalls(connection, table);
      BuiltRanges built =
          Bounded.apart(
              patience.each(), () -> calls.built(index), () -> calls.forgetRegions(index));
      int covered = (int) regions.stream().filter(r -> covers(built, r)).count();
      List<RegionAnswer<RegionStatus>> said = ask(table, regions, built, patience);
      return built.isComplete()
          ? StatusSummary.global(index, State.ACTIVE, covered, said, shown(table, index))
          : StatusSummary.global(
              index, State.BUILDING, covered, said, ServersWithout.lines(connection, regions));
    } catch (TableNotFoundException e) {
      LOG.debug("Index {} of table {} has no table", index, table, e);
      return absent(index, regions.size(), "has no table '" + nameOf(table, index) + "'");
    } catch (DoNotRetryIOException e) {
      return refused(table, index, regions.size(), e);
    } catch (IOException e) {
      Bounded.requireNotInterrupted(e);
      LOG.debug("Index {} of table {} does not answer", index, table, e);
      patience.shorten();
      String why = "' does not answer: " + Refusals.text(e);
      return without(index, regions.size(), "its table '" + nameOf(table, index) + why);
    }
  }

  /**
   * What the regions say. Those that are not built read the definitions again: one that has not
   * heard of the index builds nothing.
   */
  private List<RegionAnswer<RegionStatus>> ask(
      TableName table, List<HRegionLocation> regions, BuiltRanges built, Patience patience)
      throws IOException {
    return new RegionCalls(connection, patience)
        .ask(
            table,
            regions,
            r -> RegionRequest.of(covers(built, r) ? Kind.STATUS : Kind.REFRESH),
            patience.each(),
            RegionStatus::decode);
  }

  /**
   * Checks that an index has a table of its own.
   *
   * @throws InvalidIndexException if it has not, as in a table that was cloned or restored; the
   *     message says what to do
   */
  public void require(TableName table, IndexDefinition index) throws IOException {
    try {
      new IndexCalls(connection, table).built(index);
    } catch (TableNotFoundException e) {
      throw invalid(table, absent(index, 0, "has no table '" + nameOf(table, index) + "'"), e);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (DoNotRetryIOException e) {
      throw invalid(table, refused(table, index, 0, e), e);
    }
  }

  private static InvalidIndexException invalid(TableName table, IndexStatus why, IOException e) {
    InvalidIndexException invalid =
        new InvalidIndexException(
            "table '" + table + "', index '" + why.name() + "': " + why.errors().get(0));
    invalid.initCause(e);
    return invalid;
  }

  private List<String> shown(TableName table, IndexDefinition index) throws IOException {
    return ShownBoundaries.lines(connection, nameOf(table, index));
  }

  private IndexStatus refused(
      TableName table, IndexDefinition index, int regions, DoNotRetryIOException refusal)
      throws IOException {
    if (refusal instanceof TableNotEnabledException) {
      return without(
          index,
          regions,
          "its table '"
              + nameOf(table, index)
              + "' is disabled, and the table takes no writes of the column: enable it in HBase's"
              + " shell, or rebuild the index (spyhop index rebuild)");
    }
    return isAnothers(table, index)
        ? absent(index, regions, "finds another index in table '" + nameOf(table, index) + "'")
        : without(index, regions, Refusals.text(refusal));
  }

  /** Whether the index's table is another's; HBase shows that to who owns everything alone. */
  private boolean isAnothers(TableName table, IndexDefinition index) throws IOException {
    try {
      return !IndexTable.holds(TableInfo.descriptor(connection, nameOf(table, index)), index);
    } catch (AccessDeniedException e) {
      LOG.debug("The table of index {} of table {} is not shown", index, table, e);
      return false;
    }
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
    IndexStatus.Build nothing = new IndexStatus.Build(0, 0, 0, Optional.empty());
    return new IndexStatus.Global(index, State.BUILDING, regions, 0, nothing, 0, 0, List.of(error));
  }
}
