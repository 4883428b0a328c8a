package io.spyhop.client.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.Predicates.ColumnExpression;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;

/** The text of a predicate is read as the same one; a group of one member is that member. */
class PredicateTextProperties {
  private static final int DEPTH = 3;
  private static final SchemaResolver RESOLVER =
      new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f"));

  @Property(tries = 500)
  void isReadAgain(@ForAll("predicates") Predicate predicate) {
    Predicate again = WhereParser.parse(predicate.toString());
    assertThat(Binder.bind(again, RESOLVER)).isEqualTo(Binder.bind(predicate, RESOLVER));
  }

  /** Whatever the grammar has a token for may be a column's name. */
  @Example
  void wordsOfTheGrammarAreNames() {
    List<String> words = new ArrayList<>();
    for (String image : CCJSqlParserConstants.tokenImage) {
      String word = image.replace("\"", "");
      if (word.matches("\\w+")) {
        words.add(word);
        words.add(word.toLowerCase(java.util.Locale.ROOT));
      }
    }
    assertThat(words).hasSizeGreaterThan(200);
    for (String word : words) {
      ColumnExpression c = Predicates.column(word);
      ColumnExpression typed = Predicates.column(word, ValueType.LONG);
      for (Predicate p :
          List.of(
              c.eq(1L),
              c.isNull(),
              c.in(1L, 2L).not(),
              c.in(1L, 2L).or(c.eq(3L)).and(c.isNotNull()),
              c.between(1L, 2L).or(c.startsWith("a").and(c.lt(3L))),
              typed.gt(1L))) {
        assertThat(WhereParser.parse(p.toString())).hasToString(p.toString());
      }
    }
  }

  @Provide
  Arbitrary<Predicate> predicates() {
    return predicates(DEPTH);
  }

  private Arbitrary<Predicate> predicates(int depth) {
    if (depth == 0) {
      return leaves();
    }
    Arbitrary<Predicate> below = predicates(depth - 1);
    return Arbitraries.oneOf(
        leaves(),
        below.list().ofMinSize(2).ofMaxSize(3).map(Predicate.And::new),
        below.list().ofMinSize(2).ofMaxSize(3).map(Predicate.Or::new),
        below.map(Predicate::not));
  }

  private Arbitrary<Predicate> leaves() {
    return Arbitraries.of(
            ValueType.STRING,
            ValueType.BYTES,
            ValueType.LONG,
            ValueType.FLOAT,
            ValueType.DOUBLE,
            ValueType.DECIMAL,
            ValueType.BOOLEAN,
            ValueType.TIMESTAMP)
        .flatMap(PredicateTextProperties::leaf);
  }

  private static Arbitrary<Predicate> leaf(ValueType type) {
    Arbitrary<ColumnExpression> column = names().map(n -> Predicates.column("f:" + type + n, type));
    Arbitrary<Object> literal = literals(type);
    return Combinators.combine(column, literal, literal, Arbitraries.integers().between(0, 9))
        .as(
            (c, a, b, kind) ->
                switch (kind) {
                  case 0 -> c.eq(a);
                  case 1 -> c.ne(a);
                  case 2 -> c.lt(a);
                  case 3 -> c.ge(a);
                  case 4 -> c.between(a, b);
                  case 5 -> c.in(a, b);
                  case 6 -> c.in(Arrays.asList(b, a, b));
                  case 7 -> c.isNull();
                  case 8 -> c.isNotNull();
                  default -> type.codec().supportsPrefix() ? c.startsWith(a) : c.le(a);
                });
  }

  private static Arbitrary<String> names() {
    return Arbitraries.strings()
        .withChars("ab_:.\"'\\ %\u00e4\n\r\uE000`")
        .ofMinLength(1)
        .ofMaxLength(4);
  }

  private static Arbitrary<Object> literals(ValueType type) {
    return switch (type) {
      case STRING -> texts().map(t -> t);
      case BYTES -> Arbitraries.bytes().array(byte[].class).ofMaxSize(4).map(b -> b);
      case LONG -> Arbitraries.longs().map(n -> n);
      case FLOAT ->
          Arbitraries.oneOf(
              Arbitraries.floats().map(f -> f), Arbitraries.of(Float.NaN, -0.0f, 0.1f));
      case DOUBLE ->
          Arbitraries.oneOf(
              Arbitraries.doubles().map(d -> d),
              Arbitraries.of(Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 1e300));
      case DECIMAL ->
          Arbitraries.oneOf(
              Arbitraries.bigDecimals().map(d -> d),
              Arbitraries.of(new BigDecimal("1E+30"), new BigDecimal("-1.5E-30")));
      case BOOLEAN -> Arbitraries.of(true, false);
      case TIMESTAMP ->
          Arbitraries.longs()
              .between(-1_000_000_000_000L, 4_000_000_000_000L)
              .flatMap(t -> Arbitraries.of(t, Instant.ofEpochMilli(t), new Date(t)));
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("ab'%_\\ \n\r\u00e4\"(\uE000\uE001`").ofMaxLength(6);
  }
}
