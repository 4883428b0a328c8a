package io.spyhop.bench.mdrq;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A way to fill a table. Immutable.
 *
 * @param passes one after the other
 * @param regions how many the table has, where it is not for the caller to say
 * @param kept whether memstores and HFiles stay as the passes leave them: nothing is flushed,
 *     compacted or split unless the benchmark asks for it
 */
record Load(List<Pass> passes, OptionalInt regions, boolean kept) {
  /** In key order, with HBase's defaults. */
  static final Load KEY_ORDER = new Load(List.of(Pass.ALL), OptionalInt.empty(), /* kept= */ false);

  /** In key order, into many regions. */
  static final Load MANY_REGIONS = new Load(List.of(Pass.ALL), OptionalInt.of(64), true);

  private static final int OVERLAPPING_FILES = 5;
  private static final int UPDATED_PERCENT = 20;

  /** In an order that looks like chance; each region gets HFiles that reach all over it. */
  static final Load SHUFFLED =
      kept(
          IntStream.range(0, OVERLAPPING_FILES)
              .mapToObj(
                  i ->
                      Pass.shuffled(
                          i * Pass.ALL.to() / OVERLAPPING_FILES,
                          (i + 1) * Pass.ALL.to() / OVERLAPPING_FILES))
              .toList());

  /** In key order; then a fifth of the rows get a column that no index knows. */
  static final Load UPDATED_OTHER =
      kept(List.of(Pass.ALL, Pass.update(UPDATED_PERCENT, PutMaker.NOTE)));

  /** In key order; then a fifth of the rows get another price. */
  static final Load UPDATED_INDEXED =
      kept(List.of(Pass.ALL, Pass.update(UPDATED_PERCENT, PutMaker.OTHER_PRICE)));

  /** Some of the rows are in memstores, and nowhere else. */
  static Load memstore(int percent) {
    return kept(List.of(Pass.flushed(percent), Pass.unflushed(percent)));
  }

  private static Load kept(List<Pass> passes) {
    return new Load(passes, OptionalInt.empty(), true);
  }

  /** How many passes end with a flush, each of which makes an HFile in every region. */
  int flushes() {
    return (int) passes.stream().filter(Pass::flushed).count();
  }
}
