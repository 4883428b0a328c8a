package io.spyhop.bench.tpcds;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The rows of a TPC-DS table in the order in which dsdgen generates them, always the same. Not
 * thread-safe.
 */
public final class TpcdsRows implements Iterator<List<String>> {
  private final Iterator<List<List<String>>> generator;
  private long remaining;

  /**
   * Begins at the first row.
   *
   * @param scale TPC-DS' scale factor; the size of some tables does not depend on it
   * @param limit how many rows at most
   */
  public TpcdsRows(TpcdsTable table, double scale, long limit) {
    if (scale <= 0 || limit < 0) {
      throw new IllegalArgumentException("scale=" + scale + " limit=" + limit);
    }
    Table generated = table.generated();
    Session session = Session.getDefaultSession().withTable(generated).withScale(scale);
    generator = Results.constructResults(generated, session).iterator();
    remaining = limit;
  }

  @Override
  public boolean hasNext() {
    return remaining > 0 && generator.hasNext();
  }

  /** The next row's values in the order of {@link TpcdsTable#columns()}; null is SQL's NULL. */
  @Override
  public List<String> next() {
    if (remaining == 0) {
      throw new NoSuchElementException("no row beyond the limit");
    }
    remaining--;
    // A table comes with rows of the table of its returns behind them.
    return generator.next().get(0);
  }
}
