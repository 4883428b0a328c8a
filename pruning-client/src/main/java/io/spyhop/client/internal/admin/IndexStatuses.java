package io.spyhop.client.internal.admin;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.RegionStatistics;
import io.spyhop.client.internal.admin.LastKnown.Asker;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects the status of tables' indexes, of each kind in its way. Thread-safe. */
public final class IndexStatuses {
  private static final Logger LOG = LoggerFactory.getLogger(IndexStatuses.class);

  private final Connection connection;
  private final GlobalIndexes globals;
  private final RegionCalls regions;
  private final StatisticsStatus statistics;

  /** Asks through a connection, which stays the caller's. */
  public IndexStatuses(Connection connection, GlobalIndexes globals) {
    this.connection = connection;
    this.globals = globals;
    this.regions = new RegionCalls(connection);
    this.statistics = new StatisticsStatus(regions);
  }

  /** The definitions in a table's descriptor; what cannot be read is left out. */
  public List<IndexDefinition> list(TableName table) throws IOException {
    return schema(table).indexes();
  }

  /**
   * Definitions in a table's descriptor that cannot be read, by index, with the reason; none for
   * who may not see it.
   */
  public Map<String, String> unreadable(TableName table) throws IOException {
    try {
      return schema(table).unreadable();
    } catch (AccessDeniedException e) {
      LOG.debug("The descriptor of table {} is not shown", table, e);
      return Map.of();
    }
  }

  private IndexSchema schema(TableName table) throws IOException {
    return IndexSchema.of(TableInfo.descriptor(connection, table));
  }

  /** How far all indexes of a table are that the caller may know of, ordered by name. */
  public List<IndexStatus> of(TableName table, Patience patience) throws IOException {
    return of(table, visible(table), patience);
  }

  /**
   * How far one index is, in a list of its own.
   *
   * @throws InvalidIndexException if the table has no such index
   */
  public List<IndexStatus> of(TableName table, String name, Patience patience) throws IOException {
    List<IndexDefinition> one =
        visible(table).stream().filter(index -> index.name().equals(name)).toList();
    if (one.isEmpty()) {
      throw new InvalidIndexException("table '" + table + "' has no index '" + name + "'");
    }
    return of(table, one, patience);
  }

  private List<IndexStatus> of(TableName table, List<IndexDefinition> indexes, Patience patience)
      throws IOException {
    RegionCalls calls = new RegionCalls(connection, patience);
    Map<String, IndexStatus> byName = new TreeMap<>();
    for (IndexStatus s : local(calls, table, indexes)) {
      byName.put(s.name(), s);
    }
    List<IndexDefinition> alone = IndexSchema.of(indexes).statistics().indexes();
    for (IndexStatus s : new StatisticsStatus(calls).of(table, alone)) {
      byName.put(s.name(), s);
    }
    for (IndexDefinition index : IndexSchema.of(indexes).globals().indexes()) {
      byName.put(index.name(), globals.status(table, index, patience));
    }
    return List.copyOf(byName.values());
  }

  /** HBase shows the descriptor to who may change the table; regions tell the others. */
  private List<IndexDefinition> visible(TableName table) throws IOException {
    try {
      return list(table);
    } catch (AccessDeniedException e) {
      LOG.debug("The descriptor of table {} is not shown, its regions are asked", table, e);
      return new DefinitionCalls(connection, table).ask(Asker.AGAIN, () -> {}).indexes().indexes();
    }
  }

  private static List<IndexStatus> local(
      RegionCalls calls, TableName table, List<IndexDefinition> all) throws IOException {
    List<IndexDefinition> indexes = IndexSchema.of(all).locals().indexes();
    if (indexes.isEmpty()) {
      return List.of();
    }
    List<RegionAnswer<RegionStatus>> answers = ask(calls, table, RegionRequest.Kind.STATUS);
    if (answers.stream().anyMatch(a -> a.answer().isPresent() && !knows(a, indexes))) {
      answers = ask(calls, table, RegionRequest.Kind.REFRESH);
    }
    List<RegionAnswer<RegionStatus>> latest = answers;
    return indexes.stream().<IndexStatus>map(index -> StatusSummary.local(index, latest)).toList();
  }

  private static List<RegionAnswer<RegionStatus>> ask(
      RegionCalls calls, TableName table, RegionRequest.Kind kind) throws IOException {
    return calls.ask(table, RegionRequest.of(kind), RegionStatus::decode);
  }

  /** Whether the region has taken note of all definitions; one that was not told is told again. */
  private static boolean knows(RegionAnswer<RegionStatus> answer, List<IndexDefinition> indexes) {
    Set<Long> known =
        answer.answer().stream()
            .flatMap(s -> s.indexes().stream())
            .map(RegionStatus.IndexState::incarnation)
            .collect(Collectors.toSet());
    return indexes.stream().allMatch(i -> known.contains(i.incarnation()));
  }

  /** What every region of a table tells of its columns, in row order. */
  public List<RegionStatistics> regionStatistics(TableName table) throws IOException {
    return statistics.ofRegions(table);
  }

  /** Has regions take note of what is declared for statistics alone. */
  public void refreshStatistics(TableName table) throws IOException {
    statistics.refresh(table);
  }

  /** Regions notice a changed descriptor by themselves after a while; this tells them now. */
  public void refresh(TableName table) {
    try {
      List<RegionAnswer<RegionStatus>> answers = ask(regions, table, RegionRequest.Kind.REFRESH);
      long silent = answers.stream().filter(a -> a.answer().isEmpty()).count();
      if (silent > 0) {
        LOG.warn("{} regions of table {} did not take note of its new indexes yet", silent, table);
      }
    } catch (IOException e) {
      LOG.warn("The regions of table {} could not be told of its new indexes yet", table, e);
    }
  }
}
