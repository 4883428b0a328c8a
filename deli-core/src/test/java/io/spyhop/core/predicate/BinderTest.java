package io.spyhop.core.predicate;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BinderTest {
  private static BoundPredicate bind(Predicate p) {
    return Binder.bind(p, PredicateCasesTest.RESOLVER);
  }

  /** A type alone does not say which column it is. */
  @Test
  void unknownColumnOfSeveralFamiliesAsksForOne() {
    SchemaResolver two = new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f", "g"));
    assertThatThrownBy(() -> two.resolve(new Predicate.ColumnRef("nope", ValueType.LONG)))
        .isInstanceOf(UnknownColumnException.class)
        .hasMessageEndingWith(
            "Write CAST(family:nope AS type) for another column, with one of the families [f, g]");
  }

  @Test
  void unknownColumnNamesTableColumnAndWhatIsKnown() {
    assertThatThrownBy(() -> bind(column("nope").eq(1)))
        .isInstanceOf(UnknownColumnException.class)
        .hasMessageContaining("'t'")
        .hasMessageContaining("'nope'")
        .hasMessageContaining("f:a")
        .hasMessageContaining("CAST(nope AS");
  }

  @Test
  void unknownFamily() {
    assertThatThrownBy(() -> bind(column("g:a").eq(1)))
        .hasMessageContaining("no column family 'g'");
  }

  /** Judged as the number that the literal is, which no value equals. */
  @Test
  void literalsBeyondTheTypeAreTrueOrFalse() {
    for (ValueType type :
        List.of(
            ValueType.INT,
            ValueType.LONG,
            ValueType.FLOAT,
            ValueType.DOUBLE,
            ValueType.TEXT_DOUBLE)) {
      Predicates.ColumnExpression c = column("f:z", type);
      List<byte[]> values = new ArrayList<>();
      for (Object value : List.of(-1, 0, 7, "NaN", "Infinity", "-Infinity")) {
        if (value instanceof Integer || type == ValueType.FLOAT || type == ValueType.DOUBLE) {
          values.add(type.codec().operand(value).stored());
        }
      }
      values.add(new byte[] {1, 2, 3});
      for (int sign : new int[] {1, -1}) {
        BigDecimal literal = new BigDecimal("1e400").multiply(BigDecimal.valueOf(sign));
        for (byte[] value : values) {
          boolean decodes = type.codec().isDecodable(value, 0, value.length);
          boolean less = decodes && number(type, value).compareTo((double) sign * 1e308) < 0;
          boolean greater = decodes && !less;
          String why = type + " " + (decodes ? number(type, value) : "undecodable") + " " + literal;
          assertThat(judge(c.lt(literal), value)).as(why).isEqualTo(less);
          assertThat(judge(c.le(literal), value)).as(why).isEqualTo(less);
          assertThat(judge(c.gt(literal), value)).as(why).isEqualTo(greater);
          assertThat(judge(c.ge(literal), value)).as(why).isEqualTo(greater);
          assertThat(judge(c.ge(literal).not(), value)).as(why).isEqualTo(less);
          assertThat(judge(c.lt(literal).not(), value)).as(why).isEqualTo(greater);
          assertThat(judge(c.eq(literal), value)).as(why).isFalse();
          assertThat(judge(c.ne(literal), value)).as(why).isEqualTo(decodes);
          assertThat(judge(c.eq(literal).not(), value)).as(why).isEqualTo(decodes);
          assertThat(judge(c.in(literal, literal), value)).as(why).isFalse();
          assertThat(judge(c.in(literal).not(), value)).as(why).isEqualTo(decodes);
          assertThat(judge(c.between(sign > 0 ? -2 : literal, sign > 0 ? literal : 9), value))
              .as(why)
              .isEqualTo(decodes && Math.abs(number(type, value)) < 10);
        }
      }
    }
  }

  static Stream<Arguments> beyond() {
    return Stream.of(
        arguments(ValueType.ORDERED_NUMERIC, "-1e1000000000", "1e1000000001"),
        arguments(ValueType.ORDERED_NUMERIC, new BigDecimal("-7e2147483647"), "7e2147483647"),
        arguments(
            ValueType.ORDERED_NUMERIC,
            "-1e1000000000",
            "1.%s1e1000000001".formatted("0".repeat(40))),
        arguments(ValueType.TIMESTAMP, "-292275056-01-01T00:00:00Z", "+292278995-01-01 00:00:00"),
        arguments(ValueType.TIMESTAMP, Instant.MIN, Instant.MAX),
        arguments(ValueType.TIMESTAMP, "-9223372036854775809", "9223372036854775808"),
        arguments(ValueType.DATE, "-0001-12-31", "+10000-01-01"),
        arguments(ValueType.DATE, LocalDate.MIN, LocalDate.MAX));
  }

  /** Exact types: there is nothing between the greatest value and the literal. */
  @ParameterizedTest
  @MethodSource("beyond")
  void numbersAndTimesBeyondTheTypeAreTrueOrFalse(ValueType type, Object below, Object above) {
    Predicates.ColumnExpression c = column("f:z", type);
    byte[] value = type.codec().some().stored();
    byte[] wrong = {1};
    List<Predicate> alwaysTrue =
        List.of(
            c.lt(above),
            c.le(above),
            c.ne(above),
            c.gt(below),
            c.ge(below),
            c.ne(below),
            c.between(below, above),
            c.in(below, above).not());
    for (Predicate p : alwaysTrue) {
      assertThat(judge(p, value)).as("%s", p).isTrue();
      assertThat(judge(p.not(), value)).as("NOT %s", p).isFalse();
      assertThat(judge(p, wrong)).as("%s of what does not decode", p).isFalse();
      assertThat(judge(p.not(), wrong)).as("NOT %s of what does not decode", p).isFalse();
    }
  }

  private static Double number(ValueType type, byte[] value) {
    return ((Number) type.codec().decode(value, 0, value.length)).doubleValue();
  }

  private static boolean judge(Predicate p, byte[] value) {
    return PredicateCasesTest.judge(bind(p), null, value);
  }

  @Test
  void wrongLiteralNamesColumnLiteralAndType() {
    assertThatThrownBy(() -> bind(column("a").eq("seven")))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageStartingWith("table 't': column f:a: ")
        .hasMessageContaining("'seven'")
        .hasMessageContaining("LONG");
  }

  @Test
  void prefixOfANumber() {
    assertThatThrownBy(() -> bind(column("a").startsWith("1")))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageStartingWith("table 't': column f:a is of type LONG: ");
  }

  @Test
  void explicitTypeNeedsNoDeclaration() {
    assertThat(bind(column("f:z", ValueType.INT).eq(1)).columns())
        .extracting(BoundColumn::type)
        .containsExactly(ValueType.INT);
  }

  @Test
  void oneColumnReadWithTwoTypes() {
    assertThatThrownBy(() -> bind(column("a").eq(1).and(column("a", ValueType.STRING).eq("x"))))
        .hasMessageContaining("f:a")
        .hasMessageContaining("one type");
  }

  @Test
  void notIsPushedToTheLeaves() {
    assertThat(bind(column("a").lt(3).and(column("b").eq("x")).not()))
        .hasToString("f:a >= 3 OR f:b != 'x'");
  }

  @Test
  void onlyColumnsThatEveryMatchingRowHasCanDrive() {
    assertThat(bind(column("a").eq(1)).canDrive(0)).isTrue();
    assertThat(bind(column("a").isNull()).canDrive(0)).isFalse();
    assertThat(bind(column("a").isNotNull()).canDrive(0)).isFalse();
    assertThat(bind(column("a").eq(1).or(column("b").eq("x"))).canDrive(0)).isFalse();
    assertThat(bind(column("a").eq(1).and(column("b").eq("x"))).canDrive(1)).isTrue();
    assertThat(bind(column("a").eq(1).or(column("a").isNull())).canDrive(0)).isFalse();
  }

  @Test
  void keyRangesOfAColumn() {
    BoundPredicate p = bind(column("a").between(1, 9).and(column("a").gt(5)));
    assertThat(p.keyRanges(0).ranges()).hasSize(1);
    assertThat(bind(column("a").lt(1).or(column("a").gt(5))).keyRanges(0).ranges()).hasSize(2);
    assertThat(bind(column("a").lt(1).and(column("a").gt(5))).keyRanges(0).isEmpty()).isTrue();
    assertThat(bind(column("a").in(1, 2, 9)).keyRanges(0).ranges()).hasSize(3);
  }

  /** As long a list as this takes no time to speak of, and its ranges are computed once. */
  @Test
  void longLists() {
    Object[] literals = IntStream.range(0, 20_000).mapToObj(i -> 2L * i).toArray();
    BoundPredicate in = bind(column("a").in(literals).and(column("a").ge(10_000)));
    KeyRanges keys = in.keyRanges(0);
    assertThat(keys.ranges()).hasSize(15_000);
    assertThat(in.keyRanges(0)).isSameAs(keys);
    List<KeyRanges> asked = new ArrayList<>();
    for (int region = 0; region < 3; region++) {
      in.mightMatch((column, ranges, whenAbsent, whenUndecodable) -> !asked.add(ranges));
    }
    assertThat(asked).hasSize(6);
    assertThat(asked.stream().map(System::identityHashCode).distinct()).hasSize(2);
    List<Predicate> each = new ArrayList<>();
    for (Object literal : literals) {
      each.add(column("a").eq(literal));
    }
    assertThat(bind(Predicates.or(each.toArray(new Predicate[0]))).keyRanges(0).ranges())
        .hasSize(20_000);
  }

  @Test
  void nestingIsRefusedWhereItIsBuilt() throws Exception {
    Predicate deep = column("a").eq(1);
    for (int i = 0; i < Predicate.MAX_DEPTH; i++) {
      deep = i % 2 == 0 ? deep.and(column("a").eq(i)) : deep.or(column("a").eq(i));
    }
    BoundPredicate bound = bind(deep);
    assertThat(PredicateCodec.decode(PredicateCodec.encode(bound))).isEqualTo(bound);
    for (UnaryOperator<Predicate> more :
        List.<UnaryOperator<Predicate>>of(
            p -> p.and(column("a").eq(1)), Predicate::not, p -> column("a").eq(1).and(p))) {
      Predicate deepest = deep;
      assertThatThrownBy(() -> more.apply(deepest))
          .isInstanceOf(InvalidPredicateException.class)
          .hasMessageContaining("nested more than 200 deep");
    }
  }
}
