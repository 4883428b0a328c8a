package io.spyhop.bench.mdrq;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Asks for rows with one of many values.
 *
 * @param name what to call it
 * @param where the condition
 */
record InQuery(String name, String where) implements Question {
  private static final int VALUES = 5_000;

  /**
   * By an indexed column; and by one with statistics alone, in a narrow range of an indexed one.
   */
  static final List<InQuery> ALL =
      List.of(
          new InQuery("IN-totalprice", "totalprice " + in(i -> (1_000 + 80 * i) + ".0")),
          new InQuery(
              "IN-custkey",
              "totalprice BETWEEN 100000 AND 100275 AND custkey " + in(i -> "" + (1 + 3 * i))));

  private static String in(LongFunction<String> value) {
    return LongStream.range(0, VALUES)
        .mapToObj(value)
        .collect(Collectors.joining(", ", "IN (", ")"));
  }

  @Override
  public String where(long number) {
    return where.replace("IN (", "IN (-" + number + ", ");
  }

  @Override
  public OptionalInt limit() {
    return OptionalInt.empty();
  }
}
