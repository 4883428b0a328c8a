package io.spyhop.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Correctness rule 5 as a table: predicate, row, verdict. */
class PredicateCasesTest {
  static final SchemaResolver RESOLVER =
      new SchemaResolver(
          "t",
          IndexSchema.of(
              List.of(
                  IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).build(),
                  IndexDefinition.builder("b").column("f:b").type(ValueType.STRING).build())),
          List.of("f"));
  private static final byte[] ABSENT = null;
  private static final byte[] BROKEN = {1, 2};
  private static final byte[] SEVEN = Bytes.toBytes(7L);
  private static final byte[] X = Bytes.toBytes("x");

  static Stream<Arguments> cases() {
    Predicates.ColumnExpression a = Predicates.column("a");
    Predicates.ColumnExpression b = Predicates.column("f:b");
    return Stream.of(
        Arguments.of(a.eq(7), SEVEN, X, true, "equal"),
        Arguments.of(a.eq(7), ABSENT, X, false, "absent equals nothing"),
        Arguments.of(a.eq(7), BROKEN, X, false, "undecodable equals nothing"),
        Arguments.of(a.ne(7), ABSENT, X, false, "absent differs from nothing"),
        Arguments.of(a.ne(7), BROKEN, X, false, "undecodable differs from nothing"),
        Arguments.of(a.eq(7).not(), ABSENT, X, false, "NOT unknown is unknown"),
        Arguments.of(a.eq(7).not(), BROKEN, X, false, "NOT unknown is unknown"),
        Arguments.of(a.eq(8).not(), SEVEN, X, true, "NOT false is true"),
        Arguments.of(a.lt(8).not().not(), SEVEN, X, true, "NOT NOT"),
        Arguments.of(a.lt(8).not().not(), ABSENT, X, false, "NOT NOT unknown"),
        Arguments.of(a.isNull(), ABSENT, X, true, "absent is null"),
        Arguments.of(a.isNull(), BROKEN, X, false, "undecodable is not null"),
        Arguments.of(a.isNotNull(), BROKEN, X, true, "undecodable is not null"),
        Arguments.of(a.isNull().not(), SEVEN, X, true, "present"),
        Arguments.of(a.between(9, 1), SEVEN, X, false, "empty range"),
        Arguments.of(a.between(9, 1).not(), SEVEN, X, true, "NOT empty range"),
        Arguments.of(a.between(9, 1).not(), ABSENT, X, false, "NOT empty range of absent"),
        Arguments.of(a.in(1, 7, 9), SEVEN, X, true, "one of"),
        Arguments.of(a.in(1, 7, 9).not(), SEVEN, X, false, "none of"),
        Arguments.of(a.in(1, 9).not(), ABSENT, X, false, "none of, absent"),
        Arguments.of(a.eq(7).or(b.eq("y")), SEVEN, ABSENT, true, "true OR unknown"),
        Arguments.of(a.eq(1).or(b.eq("y")), SEVEN, ABSENT, false, "false OR unknown"),
        Arguments.of(a.eq(1).or(b.eq("y")).not(), SEVEN, ABSENT, false, "NOT unknown"),
        Arguments.of(a.eq(1).and(b.eq("y")).not(), SEVEN, ABSENT, true, "NOT (false AND unknown)"),
        Arguments.of(a.eq(7).and(b.eq("y")).not(), SEVEN, ABSENT, false, "NOT (true AND unknown)"),
        Arguments.of(b.startsWith("x"), SEVEN, X, true, "prefix"),
        Arguments.of(b.startsWith("x").not(), SEVEN, ABSENT, false, "NOT prefix of absent"),
        Arguments.of(b.startsWith(""), SEVEN, new byte[] {(byte) 0xff}, false, "malformed UTF-8"),
        Arguments.of(a.ge(7).and(a.le(7)), SEVEN, X, true, "two conditions on a column"),
        Arguments.of(a.gt(7).or(a.lt(7)), SEVEN, X, false, "neither above nor below"));
  }

  @ParameterizedTest(name = "{4}: {0}")
  @MethodSource("cases")
  void judges(Predicate predicate, byte[] a, byte[] b, boolean expected, String why) {
    BoundPredicate bound = Binder.bind(predicate, RESOLVER);
    assertThat(judge(bound, a, b)).as(why).isEqualTo(expected);
    assertThat(judge(copy(bound), a, b)).as(why + ", after the wire").isEqualTo(expected);
  }

  private static BoundPredicate copy(BoundPredicate p) {
    try {
      BoundPredicate copy = PredicateCodec.decode(PredicateCodec.encode(p));
      assertThat(copy).isEqualTo(p).hasToString(p.toString());
      return copy;
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  static boolean judge(BoundPredicate p, byte[] a, byte[] b) {
    RowJudge judge = p.judge();
    judge.reset();
    boolean possible = true;
    for (int i = 0; i < p.columns().size(); i++) {
      byte[] v = p.columns().get(i).name().qualifierText().equals("a") ? a : b;
      if (v != null) {
        possible &= judge.offer(i, v, 0, v.length);
      }
    }
    boolean matches = judge.matches();
    assertThat(possible || !matches).as("an impossible row must not match").isTrue();
    return matches;
  }
}
