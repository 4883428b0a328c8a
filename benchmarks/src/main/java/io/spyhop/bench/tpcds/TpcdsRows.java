package io.spyhop.bench.tpcds;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

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
    this(Results.constructResults(table.generated(), session(table, scale)).iterator(), limit);
    if (scale <= 0 || limit < 0) {
      throw new IllegalArgumentException("scale=" + scale + " limit=" + limit);
    }
  }

  private TpcdsRows(Iterator<List<List<String>>> generator, long limit) {
    this.generator = generator;
    this.remaining = limit;
  }

  private static Session session(TpcdsTable table, double scale) {
    return Session.getDefaultSession().withTable(table.generated()).withScale(scale);
  }

  /**
   * The first rows of each of some parts of a table, which are equally long.
   *
   * @param limit how many rows at most of all parts together
   */
  public static TpcdsRows spread(TpcdsTable table, double scale, long limit, int parts) {
    Session session = session(table, scale);
    long count = session.getScaling().getRowCount(table.generated());
    long each = (limit + parts - 1) / parts;
    return new TpcdsRows(
        LongStream.range(0, parts)
            .mapToObj(
                part ->
                    Results.constructResults(
                        table.generated(),
                        1 + part * count / parts,
                        (part + 1) * count / parts,
                        session))
            .flatMap(rows -> StreamSupport.stream(rows.spliterator(), false).limit(each))
            .iterator(),
        limit);
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
