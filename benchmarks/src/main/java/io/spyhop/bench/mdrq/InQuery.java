package io.spyhop.bench.mdrq;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Asks for rows with one of many values.
 *
 * @param name what to call it
 * @param before what stands before the list
 * @param value gives the values of the numbers from 0 on
 */
record InQuery(String name, String before, LongFunction<Object> value) implements Question {
  private static final int VALUES = 5_000;

  /**
   * By an indexed column; and by one with statistics alone, in a narrow range of an indexed one.
   */
  static final List<InQuery> ALL =
      List.of(
          new InQuery("IN-totalprice", "totalprice", i -> 1_000.0 + 80 * i),
          new InQuery(
              "IN-custkey", "totalprice BETWEEN 100000 AND 100275 AND custkey", i -> 1 + 3 * i));

  private Stream<Object> values() {
    return LongStream.range(0, VALUES).mapToObj(value);
  }

  @Override
  public String where() {
    return before + values().map(Object::toString).collect(joining(", ", " IN (", ")"));
  }

  @Override
  public String prepared() {
    return before + " IN (:other)";
  }

  /** A value that no row has is among them. */
  @Override
  public Object other(long number) {
    return Stream.concat(Stream.of(-number), values()).toList();
  }

  @Override
  public OptionalInt limit() {
    return OptionalInt.empty();
  }
}
