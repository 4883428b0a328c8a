package io.spyhop.jdbc;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.hadoop.hbase.client.Result;

/** The rows of a query, which is asked again by each enumerator. Thread-safe. */
final class TableRows extends AbstractEnumerable<Object> {
  private final IndexedTable table;
  private final Optional<Query> query;
  private final List<SqlColumn> columns;
  private final DataContext context;
  private final Runnable begun;

  /**
   * @param query empty if no row can be found
   * @param columns of a row; one value in place of an array, if it is one
   * @param begun run when the first row has come, or none; refuses all by what it throws
   */
  TableRows(
      IndexedTable table,
      Optional<Query> query,
      List<SqlColumn> columns,
      DataContext context,
      Runnable begun) {
    this.table = table;
    this.query = query;
    this.columns = columns;
    this.context = context;
    this.begun = begun;
  }

  @Override
  public Enumerator<Object> enumerator() {
    return new Rows();
  }

  private final class Rows implements Enumerator<Object> {
    private RowCursor cursor;
    private Iterator<Result> rows = Collections.emptyIterator();
    private Object current;
    private boolean hasBegun;

    Rows() {
      begin();
    }

    private void begin() {
      hasBegun = false;
      if (query.isPresent()) {
        try {
          cursor = table.query(query.get());
          rows = cursor.iterator();
        } catch (IOException e) {
          throw new UncheckedIOException(
              "query on table '" + table.name() + "' failed: " + e.getMessage(), e);
        }
      }
    }

    @Override
    public Object current() {
      return current; // null is the value of a row's only column
    }

    @Override
    public boolean moveNext() {
      AtomicBoolean cancelled = DataContext.Variable.CANCEL_FLAG.get(context);
      if (cancelled != null && cancelled.get()) {
        throw new RefusedException("the statement was cancelled");
      }
      boolean more = rows.hasNext();
      if (!hasBegun && cursor != null) {
        begun.run();
      }
      hasBegun = true;
      current = more ? value(rows.next()) : null;
      return more;
    }

    private Object value(Result row) {
      if (columns.size() == 1) {
        return columns.get(0).read(row);
      }
      Object[] values = new Object[columns.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = columns.get(i).read(row);
      }
      return values;
    }

    @Override
    public void reset() {
      close();
      begin();
    }

    @Override
    public void close() {
      if (cursor != null) {
        cursor.close();
      }
    }
  }
}
