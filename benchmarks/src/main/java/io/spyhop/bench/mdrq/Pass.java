package io.spyhop.bench.mdrq;

import io.trino.tpch.Order;
import java.util.SplittableRandom;

/**
 * Some of the rows, written one after the other. Immutable.
 *
 * @param from rows fall into a hundred bins, always the same row into the same bin: the first bin
 * @param to the bin behind the last
 * @param shuffled whether the order of the rows looks like chance; otherwise it is that of the keys
 * @param maker what is written of a row
 * @param flushed whether the tables are flushed, and indexed, when all has been written
 */
record Pass(int from, int to, boolean shuffled, PutMaker maker, boolean flushed) {
  private static final int BINS = 100;

  /** All rows in key order. */
  static final Pass ALL = new Pass(0, BINS, false, PutMaker.ORDER, true);

  /** The rows of some bins, shuffled. */
  static Pass shuffled(int from, int to) {
    return new Pass(from, to, true, PutMaker.ORDER, true);
  }

  /** The indexed columns of all rows in key order. */
  static final Pass NARROW = new Pass(0, BINS, false, PutMaker.NARROW, true);

  /** The rows of some bins get another price, shuffled; they stay in memstores for now. */
  static Pass otherPrice(int from, int to) {
    return new Pass(from, to, true, PutMaker.OTHER_PRICE, false);
  }

  /** Something is written to some of the rows. */
  static Pass update(int percent, PutMaker maker) {
    return new Pass(0, percent, false, maker, true);
  }

  /** All rows but some. */
  static Pass flushed(int butPercent) {
    return new Pass(butPercent, BINS, false, PutMaker.ORDER, true);
  }

  /** Some rows, which stay in memstores. */
  static Pass unflushed(int percent) {
    return new Pass(0, percent, false, PutMaker.ORDER, false);
  }

  /** This one without the flush at its end. */
  Pass inMemstores() {
    return new Pass(from, to, shuffled, maker, /* flushed= */ false);
  }

  /** Whether an order's row is among them. */
  boolean has(Order order) {
    int bin = new SplittableRandom(order.getRowNumber()).nextInt(BINS);
    return from <= bin && bin < to;
  }

  /** About how many rows these are. */
  long share(long rows) {
    return rows * (to - from) / BINS;
  }
}
