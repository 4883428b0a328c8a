package io.spyhop.client.internal.plan;

import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.BinaryText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The columns that a scan reads, and those of them that the caller gets. Immutable but for a
 * counter that it may be given, thread-safe.
 *
 * <p>A filter sees only what its scan selects. Where the caller selects less than the predicate
 * needs, the scan reads the missing columns too, and they are taken out of the rows afterwards. Of
 * families of which no single columns can be read, all of it is read, and the same is done.
 */
public final class Projection {
  private final Set<String> families;
  private final Set<ColumnName> columns;
  private final Set<ColumnName> added;

  /** Families that are read whole for the sake of some of the columns. */
  private final Set<String> widened;

  /** Of rows of which nothing is left. */
  private final LongAdder emptied;

  private Projection(
      Set<String> families,
      Set<ColumnName> columns,
      Set<ColumnName> added,
      Set<String> widened,
      LongAdder emptied) {
    this.families = families;
    this.columns = columns;
    this.added = added;
    this.widened = widened;
    this.emptied = emptied;
  }

  /**
   * What a selection reads.
   *
   * @param selected {@code family}, {@code family:}, {@code family:qualifier}, a bare qualifier (a
   *     name that is both is the family) or what {@link #isQuotedColumn} says; empty for whole rows
   * @throws io.spyhop.client.InvalidQueryException if the table has no such column
   */
  public static Projection of(List<String> selected, BoundPredicate predicate, TableSchema table) {
    Set<String> families = new TreeSet<>();
    Set<ColumnName> columns = new TreeSet<>();
    for (String name : selected) {
      if (isQuotedColumn(name)) {
        columns.add(table.column(name.substring(1, name.length() - 1)));
        continue;
      }
      String written = name.endsWith(":") ? name.substring(0, name.length() - 1) : name;
      String family = Bytes.toStringBinary(BinaryText.bytes(written));
      if (name.endsWith(":") || table.families().contains(family)) {
        table.requireFamily(family, name);
        families.add(family);
      } else {
        columns.add(table.column(name));
      }
    }
    columns.removeIf(c -> families.contains(familyOf(c)));
    Set<ColumnName> added = missing(predicate, families, columns);
    Set<String> widened =
        Stream.concat(columns.stream(), added.stream())
            .map(Projection::familyOf)
            .filter(table.readWhole()::contains)
            .collect(Collectors.toCollection(TreeSet::new));
    return new Projection(families, columns, added, widened, new LongAdder());
  }

  /**
   * What an aggregate of a predicate's rows reads whose figures do not change with rows of which
   * the caller sees none of its columns: its columns and the predicate's.
   */
  public static Projection of(
      AggregateRequest aggregate, BoundPredicate predicate, TableSchema table) {
    Set<ColumnName> columns =
        Stream.concat(aggregate.columns().stream(), predicate.columns().stream())
            .map(BoundColumn::name)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> widened =
        columns.stream()
            .map(Projection::familyOf)
            .filter(table.readWhole()::contains)
            .collect(Collectors.toCollection(TreeSet::new));
    return new Projection(Set.of(), columns, Set.of(), widened, new LongAdder());
  }

  /** Whether a name is a column's only by its quotes: without them it would be a family's. */
  public static boolean isQuotedColumn(String name) {
    return name.length() > 3 && name.startsWith("\"") && name.endsWith(":\"");
  }

  /** The same, which counts rows of which nothing is left where the caller sees it. */
  public Projection countingIn(LongAdder counter) {
    return new Projection(families, columns, added, widened, counter);
  }

  private static Set<ColumnName> missing(
      BoundPredicate predicate, Set<String> families, Set<ColumnName> columns) {
    boolean wholeRows = families.isEmpty() && columns.isEmpty();
    Set<ColumnName> missing = new TreeSet<>();
    if (!wholeRows) {
      predicate.columns().stream()
          .map(BoundColumn::name)
          .filter(c -> !columns.contains(c) && !families.contains(familyOf(c)))
          .forEach(missing::add);
    }
    return missing;
  }

  private static String familyOf(ColumnName column) {
    return Bytes.toStringBinary(column.family());
  }

  /** Makes a scan read these columns and those that the predicate needs. */
  public void applyTo(Scan scan) {
    readFamilies().forEach(f -> scan.addFamily(Bytes.toBytesBinary(f)));
    readColumns().forEach(c -> scan.addColumn(c.family(), c.qualifier()));
  }

  /** Makes a Get read what a scan would. */
  public void applyTo(Get get) {
    readFamilies().forEach(f -> get.addFamily(Bytes.toBytesBinary(f)));
    readColumns().forEach(c -> get.addColumn(c.family(), c.qualifier()));
  }

  private Set<String> readFamilies() {
    Set<String> read = new TreeSet<>(families);
    read.addAll(widened);
    return read;
  }

  private Stream<ColumnName> readColumns() {
    return Stream.concat(columns.stream(), added.stream())
        .filter(c -> !widened.contains(familyOf(c)));
  }

  /** The families that the scan reads, in order; empty for all of them. */
  public List<byte[]> families() {
    Set<String> all = new TreeSet<>(families);
    Stream.concat(columns.stream(), added.stream()).map(Projection::familyOf).forEach(all::add);
    return all.stream().map(Bytes::toBytesBinary).collect(Collectors.toList());
  }

  /** The selected columns, those of selected families not among them. */
  public Set<ColumnName> columns() {
    return columns;
  }

  /** The same columns read, and all of them kept. */
  public Projection whole() {
    Set<ColumnName> read = readColumns().collect(Collectors.toCollection(TreeSet::new));
    return new Projection(readFamilies(), read, Set.of(), Set.of(), new LongAdder());
  }

  /** Whether {@link #strip} may change or drop rows. */
  public boolean strips() {
    return !added.isEmpty() || !widened.isEmpty();
  }

  /**
   * The row as the caller selected it.
   *
   * @return null if nothing of the row is left: a scan of the selected columns would not show it
   */
  public Result strip(Result row) {
    if (!strips()) {
      return row;
    }
    List<Cell> kept = new ArrayList<>(row.size());
    for (Cell cell : row.rawCells()) {
      if (isSelected(cell)) {
        kept.add(cell);
      }
    }
    if (kept.size() == row.size()) {
      return row;
    }
    if (kept.isEmpty()) {
      emptied.increment();
      return null;
    }
    return Result.create(kept, null, row.isStale());
  }

  private boolean isSelected(Cell cell) {
    return isWidened(cell) ? isOneOf(columns, cell) : !isOneOf(added, cell);
  }

  private boolean isWidened(Cell cell) {
    return !widened.isEmpty()
        && widened.contains(
            Bytes.toStringBinary(
                cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength()));
  }

  private static boolean isOneOf(Set<ColumnName> some, Cell cell) {
    for (ColumnName column : some) {
      if (column.matches(cell)) {
        return true;
      }
    }
    return false;
  }
}
