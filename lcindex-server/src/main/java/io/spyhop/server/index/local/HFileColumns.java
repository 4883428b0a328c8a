package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.server.index.local.column.ColumnBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hbase.thirdparty.com.google.common.hash.PrimitiveSink;

/**
 * The columnar files of one HFile: its rows, and those that tell of the columns of a predicate, and
 * of others. Failures to read them say which file failed. Not thread-safe.
 */
final class HFileColumns {
  private static final UUID NO_FILE = new UUID(0, 0);

  private final HFileRows rows;
  private final List<Column> columns = new ArrayList<>();

  /** One column, and the block of it that was read last. */
  private static final class Column {
    private final ColumnSource source;
    private final ColumnFile file;
    private ColumnBlock block;
    private int number = -1;

    Column(ColumnSource source, StoreFileReader hfile, ReadSettings settings) throws IOException {
      this.source = source;
      this.file = HFileRows.read(source, () -> source.columns(hfile, settings));
    }

    BoundColumn name() {
      return new BoundColumn(source.definition().column(), source.definition().type());
    }

    ColumnBlock values(int wanted) throws IOException {
      if (number != wanted) {
        number = -1;
        block = HFileRows.read(source, () -> file.values(wanted));
        number = wanted;
      }
      return block;
    }
  }

  /** By the predicate's columns, null where there is none. */
  private final Column[] ofPredicate;

  /**
   * @param rows the file of the rows
   * @param beside files of further columns
   */
  HFileColumns(
      StoreFileReader hfile,
      ColumnSource rows,
      ColumnSource driving,
      List<ColumnSource> beside,
      RecordRequest request)
      throws IOException {
    this.rows = new HFileRows(hfile, rows, request.reading());
    columns.add(new Column(driving, hfile, request.reading()));
    for (ColumnSource s : beside) {
      columns.add(new Column(s, hfile, request.reading()));
    }
    this.ofPredicate =
        request.predicate().columns().stream().map(this::find).toArray(Column[]::new);
  }

  private Column find(BoundColumn name) {
    return columns.stream().filter(c -> c.name().equals(name)).findFirst().orElse(null);
  }

  private Column driving() {
    return columns.get(0);
  }

  /** Tells which files say which rows match, and which there are not. */
  void identify(PrimitiveSink sink) {
    add(rows.source(), sink);
    add(driving().source, sink);
    for (Column column : ofPredicate) {
      add(column == null ? null : column.source, sink);
    }
  }

  private static void add(ColumnSource source, PrimitiveSink sink) {
    UUID identity = source == null ? NO_FILE : source.identity();
    sink.putLong(identity.getMostSignificantBits()).putLong(identity.getLeastSignificantBits());
  }

  /** When the cells of rows that are not complex are from. */
  CellTimes times() {
    return driving().file.times();
  }

  /** A block of the driving index, whose values may be of another type than the predicate's. */
  ColumnBlock values(int block) throws IOException {
    return driving().values(block);
  }

  /** Whether values of a column of the predicate are known. */
  boolean has(int column) {
    return ofPredicate[column] != null;
  }

  /** A block of a column that it {@link #has}. */
  ColumnBlock values(int column, int block) throws IOException {
    return ofPredicate[column].values(block);
  }

  /** Whether values of all these columns are known. */
  boolean hasAll(List<BoundColumn> wanted) {
    return wanted.stream().allMatch(c -> find(c) != null);
  }

  /** A block of each of some columns, of which it {@link #hasAll}. */
  List<ColumnBlock> values(List<BoundColumn> wanted, int block) throws IOException {
    List<ColumnBlock> values = new ArrayList<>();
    for (BoundColumn c : wanted) {
      values.add(find(c).values(block));
    }
    return values;
  }

  /** The HFile's rows. */
  HFileRows rows() {
    return rows;
  }
}
