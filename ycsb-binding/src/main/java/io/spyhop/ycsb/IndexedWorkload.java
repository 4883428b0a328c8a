package io.spyhop.ycsb;

import io.spyhop.client.IndexAdmin;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.generator.CounterGenerator;
import site.ycsb.workloads.CoreWorkload;

/**
 * A workload over a table whose columns of numbers (type LONG) are indexed. Records have numbers
 * from 0 on, and what a record holds at first follows from its number, so that answers can be
 * verified without having been noted. Writing goes through YCSB's database, reading by value beside
 * it. Properties: {@code docs/ycsb.md}. Thread-safe, as YCSB wants it.
 */
abstract class IndexedWorkload extends Workload {
  private static final Duration BUILD_LIMIT = Duration.ofHours(1);
  private static final long MAX_RECORDS = 1L << 40;

  private Connections connections;
  private CounterGenerator inserts;
  private TableName table;
  private String family;
  private long records;
  private boolean verified;
  private boolean create;
  private boolean settles;
  private int regions;
  private Optional<IndexKind> kind = Optional.empty();
  private Maintenance maintenance;

  /** Reads what this workload alone has. */
  abstract void read(Settings settings) throws WorkloadException;

  /** The indexed columns' names. */
  abstract List<String> indexed();

  /** The kind of index if nothing is said. */
  abstract String usualIndex();

  /** The key of a record; keys of one length, in which regions split the digits evenly. */
  abstract String key(long number);

  /** What a record holds at first, by field. */
  abstract Map<String, byte[]> fields(long number);

  /** One operation of a thread. */
  abstract Status operate(DB db, Session session);

  @Override
  public final void init(Properties properties) throws WorkloadException {
    Settings settings = new Settings(properties);
    configure(settings);
    try {
      connections = Connections.get(settings);
      if (create) {
        YcsbTable.create(connections.connection(), table, family, regions, r -> split(r, regions));
      }
      YcsbTable.require(connections.connection(), table, family);
      prepareIndexes();
      if (settles) {
        settle();
      }
    } catch (IOException | RuntimeException e) {
      throw new WorkloadException("cannot prepare table '" + table + "': " + Complaints.line(e), e);
    }
  }

  /**
   * Reads all properties, and does nothing else.
   *
   * @throws WorkloadException if one is wrong; the message names it
   */
  final void configure(Settings settings) throws WorkloadException {
    settings.requireKnown();
    table = settings.table();
    family = settings.family();
    records = settings.number(Client.RECORD_COUNT_PROPERTY, 0, 1, MAX_RECORDS);
    verified = settings.isTrue(CoreWorkload.DATA_INTEGRITY_PROPERTY, false);
    inserts = new CounterGenerator(settings.number(INSERT_START_PROPERTY, 0, 0, MAX_RECORDS));
    create = settings.isTrue(Settings.CREATE, true);
    settles = create && readsOnly() && settings.isTrue(Client.DO_TRANSACTIONS_PROPERTY, true);
    kind = settings.index(usualIndex());
    maintenance = settings.maintenance();
    regions = (int) settings.number(Settings.REGIONS, 1, 1, YcsbTable.MAX_REGIONS);
    read(settings);
  }

  /** Whether nothing is written once the table is loaded. */
  boolean readsOnly() {
    return false;
  }

  /** What was loaded is in memory at first, where local indexes have nothing of it. */
  private void settle() throws IOException {
    try (Admin admin = connections.connection().getAdmin()) {
      admin.flush(table);
    }
    if (kind.isPresent()) {
      connections.spyhop().admin().waitUntilActive(table, BUILD_LIMIT);
    }
  }

  /** The first key of a region, from 1 on. */
  abstract String split(int region, int regions);

  private void prepareIndexes() throws IOException, WorkloadException {
    IndexAdmin admin = connections.spyhop().admin();
    List<IndexDefinition> there = admin.listIndexes(table);
    for (String column : indexed()) {
      ColumnName name = ColumnName.parse(family + ":" + column);
      List<IndexDefinition> ofColumn = there.stream().filter(i -> i.column().equals(name)).toList();
      for (IndexDefinition index : ofColumn) {
        requireAsSaid(index);
      }
      if (ofColumn.isEmpty() && kind.isPresent()) {
        createIndex(admin, column, name);
      }
    }
    if (kind.isPresent()) {
      admin.waitUntilActive(table, BUILD_LIMIT);
    }
  }

  /** An index that is there already is what queries use, whatever the properties say. */
  private void requireAsSaid(IndexDefinition index) throws WorkloadException {
    String what = "index '" + index.name() + "' of table '" + table + "' is ";
    String remedy = ": drop the index, use another table or another value";
    if (!kind.equals(Optional.of(index.kind()))) {
      throw new WorkloadException(
          what + lower(index.kind()) + ", and " + said(Settings.INDEX, kind) + remedy);
    }
    if (index.type() != ValueType.LONG) {
      throw new WorkloadException(what + "of type " + index.type() + ", and values are LONG");
    }
    if (index.kind() == IndexKind.GLOBAL && index.global().maintenance() != maintenance) {
      throw new WorkloadException(
          what
              + lower(index.global().maintenance())
              + ", and "
              + said(Settings.MAINTENANCE, Optional.of(maintenance))
              + remedy);
    }
  }

  private static String said(String property, Optional<? extends Enum<?>> value) {
    return property + "=" + value.map(IndexedWorkload::lower).orElse("none");
  }

  private static String lower(Enum<?> e) {
    return e.name().toLowerCase(Locale.ROOT);
  }

  private void createIndex(IndexAdmin admin, String column, ColumnName name)
      throws IOException, WorkloadException {
    if (!create) {
      throw new WorkloadException(
          "table '"
              + table
              + "' has no index of column "
              + name
              + ", and "
              + Settings.CREATE
              + "=false: create it, or say "
              + Settings.INDEX
              + "=none");
    }
    IndexDefinition.Builder index =
        IndexDefinition.builder(column).column(name).type(ValueType.LONG).kind(kind.get());
    if (kind.get() == IndexKind.GLOBAL) {
      index.maintenance(maintenance);
    }
    admin.createIndex(table, index.build());
  }

  @Override
  public final Object initThread(Properties properties, int thread, int threads) {
    return new Session(connections.spyhop().table(table), thread);
  }

  @Override
  public final void cleanup() throws WorkloadException {
    try {
      if (connections != null) {
        connections.release();
      }
    } catch (IOException e) {
      throw new WorkloadException(e);
    }
  }

  @Override
  public final boolean doInsert(DB db, Object session) {
    long number = inserts.nextValue();
    return write(db, number, fields(number)).isOk();
  }

  /** Writes a record, or some fields of it. */
  final Status write(DB db, long number, Map<String, byte[]> fields) {
    Map<String, ByteIterator> values = new HashMap<>();
    fields.forEach((name, value) -> values.put(name, new ByteArrayByteIterator(value)));
    return db.insert(table.getNameAsString(), key(number), values);
  }

  @Override
  public final boolean doTransaction(DB db, Object session) {
    return operate(db, (Session) session).isOk();
  }

  final byte[] family() {
    return Bytes.toBytes(family);
  }

  /** A column in a condition, of a type that no index has to declare. */
  static String typed(String column) {
    return "CAST(" + column + " AS " + ValueType.LONG + ")";
  }

  /** How many records there are. */
  final long records() {
    return records;
  }

  /** Whether answers are verified. */
  final boolean isVerified() {
    return verified;
  }
}
