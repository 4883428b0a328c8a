package io.spyhop.client;

import io.spyhop.client.IndexStatus.State;
import io.spyhop.client.internal.admin.ClusterCheck;
import io.spyhop.client.internal.admin.GlobalIndexes;
import io.spyhop.client.internal.admin.IndexStatuses;
import io.spyhop.client.internal.admin.InstallationCheck;
import io.spyhop.client.internal.admin.LocalVerification;
import io.spyhop.client.internal.admin.Patience;
import io.spyhop.client.internal.admin.Poll;
import io.spyhop.client.internal.admin.SplitSampler;
import io.spyhop.client.internal.admin.StatisticsVerification;
import io.spyhop.client.internal.admin.TableInfo;
import io.spyhop.client.internal.admin.ViewStatuses;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.client.internal.global.Verification;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.protocol.JobRecord;
import io.spyhop.core.protocol.OrphanTables;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.SlowQuery;
import io.spyhop.core.schema.DescriptorChange;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.core.wire.DecimalNumber;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates, drops and watches indexes. Thread-safe.
 *
 * <p>An index is a value in its table's descriptor. A change reads the descriptor, changes it and
 * writes it back; of two changes at the same moment, by whatever program, one can be lost.
 */
public final class IndexAdmin {
  private static final Logger LOG = LoggerFactory.getLogger(IndexAdmin.class);

  private static final Duration STATUS_STEP = Duration.ofMillis(100);

  private final Connection connection;
  private final Poll poll;
  private final Consumer<TableName> changed;
  private final InstallationCheck installation;
  private final GlobalIndexes globals;
  private final IndexStatuses statuses;

  /**
   * @param changed is told of each table whose definitions have been changed, or may have been
   */
  IndexAdmin(Connection connection, Poll poll, Consumer<TableName> changed) {
    this.connection = connection;
    this.poll = poll;
    this.changed = changed;
    this.installation = new InstallationCheck();
    this.globals = new GlobalIndexes(connection, poll);
    this.statuses = new IndexStatuses(connection, globals);
  }

  /** Creates one index; see {@link #createIndexes}. */
  public void createIndex(TableName table, IndexDefinition index) throws IOException {
    createIndexes(table, List.of(index));
  }

  /**
   * Creates a global index whose table is split at these values; without this, it is split where a
   * sample of the table's values suggests it. Throws what {@link #createIndexes} throws.
   *
   * @param splitValues literals of the index's type; none for a table of one region
   * @throws InvalidIndexException if the index is a local one, a value is given twice, or its table
   *     must not be split: it is created with {@code boundaries=NONE}, or its family is encrypted
   * @throws io.spyhop.core.value.InvalidValueException if a value is not of the index's type
   */
  public void createIndex(TableName table, IndexDefinition index, List<?> splitValues)
      throws IOException {
    if (!index.kind().hasTable()) {
      throw new InvalidIndexException(
          "index '" + index.name() + "': only a GLOBAL index has split values; leave them out");
    }
    List<byte[]> splits = SplitSampler.ofValues(index, splitValues);
    create(table, List.of(index), (base, i) -> SplitSampler.checked(base, i, splits));
  }

  /**
   * Creates indexes, the local ones with one change of the table's descriptor, and returns when it
   * is in effect. The indexes then build in the background, see {@link #waitUntilActive}; reads and
   * writes go on. No region is reopened, unless the table has coprocessors of its own: then HBase
   * 2.6.1 changes no descriptor without reopening. Global indexes are made by the master, each with
   * a table of its own.
   *
   * <p>LOCAL and STATS indexes take the right to change the table, ADMIN or CREATE; GLOBAL ones
   * take ADMIN on everything, as HBase lets nobody else call the master's coprocessors. A caller
   * without it cannot ask whether all servers run Spyhop, and is not stopped by one that does not.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws io.spyhop.core.schema.InvalidIndexException if a name is taken, a family is not there
   *     or a column is declared with another type
   * @throws SpyhopNotInstalledException if a server of the cluster does not run Spyhop, or does not
   *     say; then nothing has been changed
   * @throws AccessDeniedException if the caller may not
   */
  public void createIndexes(TableName table, List<IndexDefinition> indexes) throws IOException {
    create(table, indexes, (base, i) -> SplitSampler.sample(connection, base, i));
  }

  /** Chooses the boundaries of an index table's regions. */
  @FunctionalInterface
  private interface Splits {
    List<byte[]> of(TableDescriptor base, IndexDefinition index) throws IOException;
  }

  private void create(TableName table, List<IndexDefinition> indexes, Splits splits)
      throws IOException {
    if (indexes.isEmpty()) {
      return;
    }
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor base = TableInfo.descriptor(admin, table);
      withAll(base, indexes);
      List<IndexDefinition> global = new ArrayList<>(indexes);
      global.removeIf(i -> !i.kind().hasTable());
      global.forEach(i -> IndexTable.checkName(table, i.name()));
      List<IndexDefinition> local = new ArrayList<>(indexes);
      local.removeAll(global);
      installation.require(admin, ofMaster(!global.isEmpty()));
      if (!local.isEmpty()) {
        modify(admin, table, current -> withAll(current, local));
      }
      if (!IndexSchema.of(indexes).statistics().isEmpty()) {
        statuses.refreshStatistics(table);
      }
      for (IndexDefinition index : global) {
        globals.create(admin, table, index, splits.of(base, index));
      }
    } finally {
      changed.accept(table);
    }
    LOG.info("Created indexes on table {}: {}", table, indexes);
  }

  /** What is asked of the master alone. */
  private static Optional<String> ofMaster(boolean global) {
    return global
        ? Optional.of("creating, dropping and rebuilding GLOBAL indexes")
        : Optional.empty();
  }

  private static TableDescriptor withAll(TableDescriptor table, List<IndexDefinition> indexes) {
    TableDescriptor all = table;
    for (IndexDefinition index : indexes) {
      all = IndexSchema.withIndex(all, index);
    }
    return all;
  }

  /**
   * Switches the sorted views of a column family on or off ({@code docs/views.md}), and returns
   * when the table's regions have been opened again. Takes the right to change the table.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws io.spyhop.core.schema.InvalidIndexException if it has no such family, or there can be
   *     no views of it because of its encoding or MOB; then nothing has been changed
   */
  public void setSortedView(TableName table, String family, boolean isOn) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor current = TableInfo.descriptor(admin, table);
      ColumnFamilyDescriptor changed = ViewOption.with(current, family, isOn);
      if (ViewOption.isOn(ViewOption.family(current, family)) != isOn) {
        admin.modifyColumnFamily(table, changed);
      }
    }
  }

  /**
   * Whether a column family has the option of sorted views.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws io.spyhop.core.schema.InvalidIndexException if it has no such family
   */
  public boolean hasSortedView(TableName table, String family) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return ViewOption.isOn(ViewOption.family(TableInfo.descriptor(admin, table), family));
    }
  }

  /**
   * How far the sorted views of a table are: one for each region and each family with the option,
   * in row order. Who may not read the whole table is told nothing by the regions.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   */
  public List<ViewStatus> viewStatus(TableName table) throws IOException {
    return new ViewStatuses(connection).of(TableInfo.descriptor(connection, table));
  }

  /**
   * Drops an index. Queries no longer use it when this returns; files of a local index go in the
   * background, the table of a global one is gone.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws io.spyhop.core.schema.InvalidIndexException if the table has no such index
   */
  public void dropIndex(TableName table, String name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor before = TableInfo.descriptor(admin, table);
      Optional<IndexDefinition> global = IndexSchema.of(before).globals().index(name);
      if (global.isPresent()) {
        globals.drop(admin, table, global.get());
      } else {
        modify(admin, table, current -> IndexSchema.withoutIndex(current, name));
      }
    } finally {
      changed.accept(table);
    }
    LOG.info("Dropped index {} of table {}", name, table);
  }

  /**
   * Makes an index anew, as if it were dropped and created: for a global index whose table is gone,
   * is another's or is not to be trusted, and after changes by hand. Queries are right meanwhile.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws io.spyhop.core.schema.InvalidIndexException if the table has no such index
   * @throws SpyhopNotInstalledException if a server of the cluster does not run Spyhop, or does not
   *     say; then nothing has been changed
   * @throws AccessDeniedException if the caller may not
   */
  public void rebuildIndex(TableName table, String name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor before = TableInfo.descriptor(admin, table);
      IndexDefinition renewed =
          IndexSchema.of(before)
              .index(name)
              .map(old -> old.toBuilder().renewed().build())
              .orElseThrow(
                  () ->
                      new InvalidIndexException(
                          "table '" + table + "' has no index '" + name + "'"));
      installation.require(admin, ofMaster(renewed.kind().hasTable()));
      if (renewed.kind().hasTable()) {
        IndexTable.checkName(table, name);
        List<byte[]> splits = SplitSampler.sample(connection, before, renewed);
        globals.rebuild(admin, table, renewed, splits);
      } else {
        modify(
            admin,
            table,
            current -> IndexSchema.withIndex(IndexSchema.withoutIndex(current, name), renewed));
      }
    } finally {
      changed.accept(table);
    }
    LOG.info("Index {} of table {} is made anew", name, table);
  }

  /**
   * The index tables that no definition names, because their base table or its definition is gone:
   * what is left of earlier versions, or of changes by hand. Nobody reads or writes them. Needs
   * ADMIN on everything.
   */
  public List<OrphanTables.Orphan> orphans() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return globals.orphans(admin);
    }
  }

  /**
   * Drops an orphaned index table. Needs ADMIN on everything.
   *
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if it is not one of {@link #orphans}
   */
  public void dropOrphan(TableName indexTable) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      globals.dropOrphan(admin, indexTable);
    }
    LOG.info("Dropped orphaned index table {}", indexTable);
  }

  private void modify(
      Admin admin, TableName table, IoFunction<TableDescriptor, TableDescriptor> change)
      throws IOException {
    if (!DescriptorChange.apply(admin, table, change)) {
      statuses.refresh(table);
    }
  }

  /**
   * The indexes of a table, ordered by name; definitions that this version cannot read are left out
   * ({@link #unreadable}).
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   */
  public List<IndexDefinition> listIndexes(TableName table) throws IOException {
    return statuses.list(table);
  }

  /**
   * Definitions of a table that this version cannot read, by their indexes' names, with the reason.
   * Nobody serves them: queries are answered without, and they can be dropped. A caller who may not
   * change the table is told of none.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   */
  public Map<String, String> unreadable(TableName table) throws IOException {
    return statuses.unreadable(table);
  }

  /**
   * How far the indexes of a table are, ordered by name. Asks every region; those that do not
   * answer are counted in the result. A caller who may not change the table is told of the indexes
   * of columns that caller may read.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   */
  public List<IndexStatus> status(TableName table) throws IOException {
    return statuses.of(table, Patience.longest());
  }

  /**
   * What the regions of a table tell clients of the columns that are declared, in row order: by it
   * queries leave out regions. The bounds are values; who may not read the whole table is told
   * nothing.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   */
  public List<RegionStatistics> regionStatistics(TableName table) throws IOException {
    return statuses.regionStatistics(table);
  }

  /**
   * Returns when all indexes of a table are {@link State#ACTIVE}; at once if it has none.
   *
   * @param timeout a look at the indexes waits for five seconds nevertheless if servers are silent,
   *     and two for each index more
   * @throws TimeoutIOException if they are not after that time; the message says how far they are
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   */
  public void waitUntilActive(TableName table, Duration timeout) throws IOException {
    await(
        "not all indexes are active",
        table,
        timeout,
        left -> statuses.of(table, Patience.within(left)));
  }

  /**
   * Returns when an index of a table is {@link State#ACTIVE}, whatever its others are.
   *
   * @param timeout as for all indexes
   * @throws TimeoutIOException if it is not after that time; the message says how far it is
   * @throws InvalidIndexException if the table has no such index
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   */
  public void waitUntilActive(TableName table, String name, Duration timeout) throws IOException {
    await(
        "index '" + name + "' is not active",
        table,
        timeout,
        left -> statuses.of(table, name, Patience.within(left)));
  }

  private void await(
      String otherwise,
      TableName table,
      Duration timeout,
      IoFunction<Duration, List<IndexStatus>> reading)
      throws IOException {
    List<IndexStatus> last = poll.until(timeout, STATUS_STEP, reading, IndexAdmin::areActive);
    if (!areActive(last)) {
      throw new TimeoutIOException(
          "table '"
              + table
              + "': "
              + otherwise
              + " within "
              + timeout.toMillis()
              + " ms: "
              + last.stream()
                  .filter(s -> s.state() != State.ACTIVE)
                  .map(IndexStatus::progress)
                  .collect(Collectors.joining(", "))
              + "; wait longer, or look at the status");
    }
  }

  /**
   * Looks at the whole cluster: the master, every live region server, and the regions of all tables
   * with indexes. What is wrong is in the result; nothing is changed.
   *
   * @throws AccessDeniedException for who has not ADMIN on everything
   */
  public Diagnosis diagnose() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return new ClusterCheck(admin, statuses, globals, new ViewStatuses(connection), poll)
          .look(connection);
    }
  }

  /**
   * The index jobs that ended last on every live region server, in no particular order: up to
   * 10,000 of each server.
   *
   * @throws IOException if a server does not answer
   */
  public List<JobRecord> jobs() throws IOException {
    List<JobRecord> jobs = new ArrayList<>();
    for (byte[] answer : askServers(Question.JOBS)) {
      jobs.addAll(JobRecord.decode(answer));
    }
    return jobs;
  }

  /**
   * The queries that took long in a region ({@code spyhop.slow.query.ms}) and ended last, up to 64
   * of each live region server, the oldest of a server first. The values that were asked for are
   * among what is told, unless {@code spyhop.slow.query.values} is false there or the table has
   * encrypted families.
   *
   * <p>Needs ADMIN on everything where HBase checks that. Of tables with visibility labels, or with
   * coprocessors that Spyhop does not know, superusers alone are told ({@code docs/security.md}).
   *
   * @throws IOException if a server does not answer
   */
  public List<SlowQuery> slowQueries() throws IOException {
    List<SlowQuery> queries = new ArrayList<>();
    for (byte[] answer : askServers(Question.SLOW_QUERIES)) {
      queries.addAll(SlowQuery.decode(answer));
    }
    return queries;
  }

  private List<byte[]> askServers(Question question) throws IOException {
    List<byte[]> answers = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        answers.add(ServerCalls.ask(admin.coprocessorService(server), question, new byte[0]));
      }
    }
    return answers;
  }

  /**
   * Compares an index with its table. Writes go on; what looks wrong is looked at again, so that
   * none is taken for a defect.
   *
   * <ul>
   *   <li>GLOBAL: the index's entries with the table's cells, both ways.
   *   <li>LOCAL: the rows that have a value, asked for through the index and by a plain scan of the
   *       table. It reads the table once and the index of each region once for 50,000 of its rows.
   *   <li>STATS: whether what regions tell of the column contains every stored cell. It reads the
   *       table once.
   * </ul>
   *
   * @param repair whether to add entries that are missing and to have those deleted that dangle,
   *     which is done later, when the grace period is over; GLOBAL only, others are mended by
   *     {@link #rebuildIndex}. Where access is checked it takes ADMIN or CREATE on the table
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws InvalidIndexException if the table has no such index, it cannot be repaired, or it is a
   *     GLOBAL one without a table of its own, as after cloning; the message says what to do
   */
  public VerifyReport verify(TableName table, String name, boolean repair) throws IOException {
    IndexDefinition index =
        IndexSchema.of(TableInfo.descriptor(connection, table))
            .index(name)
            .orElseThrow(
                () ->
                    new InvalidIndexException("table '" + table + "' has no index '" + name + "'"));
    if (repair && !index.kind().hasTable()) {
      throw new InvalidIndexException(
          "table '"
              + table
              + "': index '"
              + name
              + "' is "
              + index.kind()
              + " and has no entries to repair; verify it without repair, and rebuild it if"
              + " something is missing");
    }
    TableInfo.requireEnabled(connection, table);
    return switch (index.kind()) {
      case GLOBAL -> {
        globals.require(table, index);
        yield new Verification(new IndexCalls(connection, table), index, repair).run();
      }
      case LOCAL -> new LocalVerification(connection, table, index).run();
      case STATS -> new StatisticsVerification(connection, table, index).run();
    };
  }

  /**
   * How many repairs of global indexes all live region servers have not done yet.
   *
   * @throws IOException if a server does not answer
   */
  public long repairs() throws IOException {
    long repairs = 0;
    for (byte[] answer : askServers(Question.REPAIRS)) {
      repairs += DecimalNumber.decode(answer);
    }
    return repairs;
  }

  private static boolean areActive(List<IndexStatus> indexes) {
    return indexes.stream().allMatch(s -> s.state() == State.ACTIVE);
  }
}
