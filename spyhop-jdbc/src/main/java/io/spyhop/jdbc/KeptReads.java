package io.spyhop.jdbc;

import java.lang.ref.WeakReference;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;

/**
 * A query in a loop: its rows are read once for each time that the statement is run, and kept until
 * it is run again. As a statement, for one thread at a time; code that Calcite makes calls it.
 */
public final class KeptReads {
  private final PushedQuery query;
  private WeakReference<DataContext> run = new WeakReference<>(null);
  private Enumerable<Object> rows;

  KeptReads(PushedQuery query) {
    this.query = query;
  }

  /**
   * The rows.
   *
   * @param context of the run
   */
  public Enumerable<Object> rows(DataContext context) {
    if (run.get() != context) {
      run = new WeakReference<>(context);
      rows = KeptRows.of(query.rows(context));
    }
    return rows;
  }
}
