package io.spyhop.jdbc;

import java.util.List;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;

/**
 * Rows that are read when they are first asked for, and kept. For one statement, in one thread;
 * code that Calcite makes calls it.
 *
 * @param <T> a row
 */
public final class KeptRows<T> extends AbstractEnumerable<T> {
  private final Enumerable<T> source;
  private List<T> rows;

  private KeptRows(Enumerable<T> source) {
    this.source = source;
  }

  /** The same rows. */
  public static <T> Enumerable<T> of(Enumerable<T> source) {
    return new KeptRows<>(source);
  }

  @Override
  public Enumerator<T> enumerator() {
    if (rows == null) {
      rows = source.toList();
    }
    return Linq4j.enumerator(rows);
  }
}
