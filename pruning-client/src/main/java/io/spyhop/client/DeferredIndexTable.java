package io.spyhop.client;

import io.spyhop.client.internal.global.ClientEntries;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.client.internal.global.IndexRead;
import io.spyhop.client.internal.global.Repairs;
import io.spyhop.client.internal.global.StoredTest;
import io.spyhop.client.internal.query.KnownTables;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.protocol.BelievedBuckets;
import io.spyhop.core.protocol.TableDefinitions.Family;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.value.InvalidValueException;
import io.spyhop.core.value.Operand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads a table by the values of one column through its global index, versions included: the
 * interface of the DELI paper (section III.A). Thread-safe.
 *
 * <p>What is read has been compared with the base table, value and timestamp; each row and
 * timestamp comes once. Reads of values throw {@link IOException} while the index is being built,
 * and for about a second when a region of the table moves or splits; and {@code
 * DoNotRetryIOException} where the caller may not read the whole column or entries carry visibility
 * labels: {@link IndexedTable#query} answers then, too. Pages are read one after the other, each as
 * the table is at that time: a row whose value changes within a range while its pages are read may
 * come twice or not at all. {@link IndexedTable#query} has no such gaps. When the index is made
 * anew, positions of pages end, and {@link InvalidQueryException} says so.
 *
 * <p>Rows of a bucketed table are its users' keys; those of one value come as they are stored.
 */
public final class DeferredIndexTable {

  private final TableName table;
  private final String name;
  private final Connection connection;
  private final IndexCalls calls;
  private final Repairs repairs;
  private final boolean repairing;
  private final boolean entering;
  private final KnownTables.Handle known;

  /** The index, as the table's definitions declare it. */
  private record Declared(IndexDefinition index, Family family, Optional<BucketKeys> keys) {
    private byte[] stored(byte[] row) {
      return keys.isPresent() ? keys.get().stored(row) : row;
    }

    private <T extends OperationWithAttributes> T signed(T operation) {
      BelievedBuckets.sign(operation, keys);
      return operation;
    }

    private IndexedCell user(IndexedCell stored) {
      return keys.isPresent()
          ? new IndexedCell(keys.get().user(stored.row()), stored.value(), stored.timestamp())
          : stored;
    }
  }

  DeferredIndexTable(
      TableName table,
      String name,
      Connection connection,
      Repairs repairs,
      KnownTables.Handle known) {
    this.table = table;
    this.name = name;
    this.connection = connection;
    this.calls = new IndexCalls(connection, table);
    this.repairs = repairs;
    this.repairing = true;
    this.entering = false;
    this.known = known;
  }

  private DeferredIndexTable(DeferredIndexTable other, boolean repairing, boolean entering) {
    this.table = other.table;
    this.name = other.name;
    this.connection = other.connection;
    this.calls = other.calls;
    this.repairs = other.repairs;
    this.repairing = repairing;
    this.entering = entering;
    this.known = other.known;
  }

  /** By what is known, or if it has no such index by what there is now. */
  private Declared declared(KnownTables.Known remembered) throws IOException {
    try {
      return declaredIn(remembered);
    } catch (InvalidIndexException notYet) {
      return declaredIn(known.refresh());
    }
  }

  private Declared declaredIn(KnownTables.Known some) {
    IndexDefinition index =
        some.definitions()
            .indexes()
            .globals()
            .index(name)
            .orElseThrow(
                () ->
                    new InvalidIndexException(
                        "table '"
                            + table
                            + "' has no global index '"
                            + name
                            + "' of a column that you may read"));
    return new Declared(
        index, some.definitions().family(index.column().family()), some.schema().keys());
  }

  /**
   * The same table, without online repair: reads do not tell the base table of entries that they
   * find obsolete or dangling.
   */
  public DeferredIndexTable withoutRepair() {
    return new DeferredIndexTable(this, false, entering);
  }

  /**
   * The same table, whose writes add the entry from the client, before the value, as the paper's
   * prototype does. The base table's region recognises that and adds none, unless entries were
   * deleted meanwhile. It costs the client two more calls and spares the region one. Where access
   * is checked or cells have labels, regions add the entries as ever.
   */
  public DeferredIndexTable enteringFromClient() {
    return new DeferredIndexTable(this, repairing, true);
  }

  /**
   * Writes a value. The base table's regions add the entry, as for any other write, if {@link
   * #enteringFromClient} does not.
   *
   * @param value a literal of the index's type
   * @throws io.spyhop.core.value.InvalidValueException if it is none
   */
  public void write(byte[] row, Object value, long timestamp) throws IOException {
    Objects.requireNonNull(row, "the row is null");
    Objects.requireNonNull(value, "the value is null; to delete it, call delete");
    Declared d = declared(known.fresh());
    IndexDefinition index = d.index;
    byte[] stored = index.type().codec().operand(value).stored();
    ColumnName column = index.column();
    Put put = d.signed(new Put(d.stored(row)));
    put.addColumn(column.family(), column.qualifier(), timestamp, stored);
    if (entering) {
      new ClientEntries(calls).enter(index, put);
    }
    try (Table t = connection.getTable(table)) {
      t.put(put);
    }
  }

  /** Deletes the column's versions up to a time, that time included. */
  public void delete(byte[] row, long timestamp) throws IOException {
    Objects.requireNonNull(row, "the row is null");
    Declared d = declared(known.fresh());
    ColumnName column = d.index.column();
    try (Table t = connection.getTable(table)) {
      t.delete(
          d.signed(new Delete(d.stored(row)))
              .addColumns(column.family(), column.qualifier(), timestamp));
    }
  }

  /**
   * The newest versions of a row's value.
   *
   * @param timestamp only versions of that time and before
   * @param versions how many at most
   */
  public List<IndexedCell> readKey(byte[] row, long timestamp, int versions) throws IOException {
    Objects.requireNonNull(row, "the row is null");
    Declared d = declared(known.fresh());
    ColumnName column = d.index.column();
    boolean newVersionBehavior = d.family.newVersionBehavior();
    Get get = IndexRead.get(d.stored(row), column, newVersionBehavior, timestamp, versions);
    List<IndexedCell> cells = new ArrayList<>();
    try (Table t = connection.getTable(table)) {
      for (Cell c : t.get(d.signed(get)).getColumnCells(column.family(), column.qualifier())) {
        cells.add(new IndexedCell(row, CellUtil.cloneValue(c), c.getTimestamp()));
      }
    }
    return cells;
  }

  /**
   * The rows that have a value among their newest versions.
   *
   * @param value a literal of the index's type
   * @param timestamp as at that time: newer versions count as not there; an index that is kept with
   *     maintenance=sync knows only {@link Long#MAX_VALUE}
   * @param versions how many versions of a row count, 1 or more
   * @throws io.spyhop.core.value.InvalidValueException if the value is none of the index's type
   */
  public IndexPage readValue(Object value, long timestamp, int versions, Paging page)
      throws IOException {
    Objects.requireNonNull(value, "the value is null; an index has no entries of nothing");
    return read(index -> StoredTest.equal(type(index, value)), timestamp, versions, page);
  }

  /**
   * The rows that have a value of a range among their newest versions; see {@link #readValue}.
   *
   * @param lower the least value, or null
   * @param upper the greatest value, or null
   */
  public IndexPage readRange(Object lower, Object upper, long timestamp, int versions, Paging page)
      throws IOException {
    return read(
        index -> StoredTest.between(type(index, lower), type(index, upper)),
        timestamp,
        versions,
        page);
  }

  /**
   * The rows that have a value with a prefix among their newest versions; see {@link #readValue}.
   *
   * @param prefix of the stored bytes
   * @throws UnsupportedOperationException if the index's type has no prefixes
   */
  public IndexPage readPrefix(byte[] prefix, long timestamp, int versions, Paging page)
      throws IOException {
    Objects.requireNonNull(prefix, "the prefix is null; empty is every value");
    return read(
        index -> StoredTest.prefix(index.type().codec(), prefix), timestamp, versions, page);
  }

  private static Operand type(IndexDefinition index, Object literal) {
    return literal == null ? null : index.type().codec().operand(literal);
  }

  /** Reads by the definition that is known, and where that has changed, by the new one. */
  private IndexPage read(
      Function<IndexDefinition, StoredTest> test, long timestamp, int versions, Paging page)
      throws IOException {
    Objects.requireNonNull(page, "the page that is wanted is null");
    if (versions < 1) {
      throw new InvalidQueryException("versions " + versions + " is not 1 or more");
    }
    Declared before = declared(known.get());
    try {
      return read(before, test.apply(before.index), new At(timestamp, versions), page);
    } catch (DoNotRetryIOException | InvalidValueException | InvalidQueryException e) {
      Declared now = declaredIn(known.refresh());
      if (now.index.equals(before.index)) {
        throw e;
      }
      return read(now, test.apply(now.index), new At(timestamp, versions), page);
    }
  }

  /** The versions that are asked for. */
  private record At(long timestamp, int versions) {}

  private IndexPage read(Declared d, StoredTest test, At at, Paging page) throws IOException {
    if (d.index.global().maintenance() == Maintenance.SYNC && at.timestamp != Long.MAX_VALUE) {
      throw new InvalidQueryException(
          "table '"
              + table
              + "': index '"
              + name
              + "' is kept with maintenance=sync and forgets what is overwritten; read as of"
              + " Long.MAX_VALUE, not "
              + at.timestamp
              + ", or use a deferred index");
    }
    IndexRead read =
        new IndexRead(
            connection,
            table,
            calls,
            d.index,
            new IndexRead.AsOf(
                at.timestamp, at.versions, d.family.maxVersions(), d.family.newVersionBehavior()));
    IndexPage answer = read.page(test, page);
    if (repairing) {
      repairs.offer(d.index, read.stale());
    }
    return new IndexPage(answer.cells().stream().map(d::user).toList(), answer.next());
  }
}
