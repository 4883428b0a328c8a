package io.spyhop.client.internal.plan;

import static io.spyhop.core.predicate.Predicates.and;
import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.core.predicate.Predicates.or;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Query;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WhereParserTest {
  private static final Predicate A1 = column("a").eq(1L);
  private static final Predicate B2 = column("b").eq(2L);
  private static final Predicate C3 = column("c").eq(3L);

  static Stream<Arguments> comparisons() {
    return Stream.of(
        arguments("a = 1", A1),
        arguments("a != 1", column("a").ne(1L)),
        arguments("a <> 1", column("a").ne(1L)),
        arguments("a < 1", column("a").lt(1L)),
        arguments("a <= 1", column("a").le(1L)),
        arguments("a > 1", column("a").gt(1L)),
        arguments("a >= 1", column("a").ge(1L)),
        arguments("1 = a", A1),
        arguments("1 <> a", column("a").ne(1L)),
        arguments("20000 <= totalprice", column("totalprice").ge(20000L)),
        arguments("20000 < totalprice", column("totalprice").gt(20000L)),
        arguments("-5 > a", column("a").lt(-5L)),
        arguments("-5 >= a", column("a").le(-5L)),
        arguments("DATE '1997-03-10' < a", column("a").gt("1997-03-10")),
        arguments("TRUE = a", column("a").eq(true)));
  }

  static Stream<Arguments> literals() {
    return Stream.of(
        arguments("a = -1", column("a").eq(-1L)),
        arguments("a = - 1", column("a").eq(-1L)),
        arguments("a = -(-1)", A1),
        arguments("a = +1", A1),
        arguments("a = (1)", A1),
        arguments("((a)) = ((1))", A1),
        arguments("a = 007", column("a").eq(7L)),
        arguments("a = 9223372036854775807", column("a").eq(Long.MAX_VALUE)),
        arguments("a = -9223372036854775808", column("a").eq(Long.MIN_VALUE)),
        arguments("a = 9223372036854775808", column("a").eq(new BigDecimal("9223372036854775808"))),
        arguments("a = 1.50", column("a").eq(new BigDecimal("1.50"))),
        arguments("a = -1.5", column("a").eq(new BigDecimal("-1.5"))),
        arguments("a = .5", column("a").eq(new BigDecimal("0.5"))),
        arguments("a = -1.5e-3", column("a").eq(new BigDecimal("-0.0015"))),
        arguments("a = 1e3", column("a").eq(new BigDecimal("1E+3"))),
        arguments("a = -1e20000", column("a").eq(new BigDecimal("-1E+20000"))),
        arguments("a < 2.5e999999999", column("a").lt(new BigDecimal("2.5E+999999999"))),
        arguments("a < 1e-999999999", column("a").lt(new BigDecimal("1E-999999999"))),
        arguments("a = ''", column("a").eq("")),
        arguments("a = 'it''s'", column("a").eq("it's")),
        arguments("a = '100% \"x\" \\n'", column("a").eq("100% \"x\" \\n")),
        arguments("a = 'line\none'", column("a").eq("line\none")),
        arguments("a = 'Grüße 鯨'", column("a").eq("Grüße 鯨")),
        arguments("a = '('", column("a").eq("(")),
        arguments("a = true", column("a").eq(true)),
        arguments("a <> FALSE", column("a").ne(false)),
        arguments("a = DATE '1997-03-10'", column("a").eq("1997-03-10")),
        arguments("a = date '1997-03-10'", column("a").eq("1997-03-10")),
        arguments("a >= TIMESTAMP '1997-03-10 01:02:03'", column("a").ge("1997-03-10 01:02:03")),
        arguments("a = TIMESTAMP '1997-03-10T01:02:03Z'", column("a").eq("1997-03-10T01:02:03Z")));
  }

  static Stream<Arguments> columns() {
    return Stream.of(
        arguments("d.totalprice = 1", column("d:totalprice").eq(1L)),
        arguments("d:totalprice = 1", column("d:totalprice").eq(1L)),
        arguments("\"d:totalprice\" = 1", column("d:totalprice").eq(1L)),
        arguments("`d:totalprice` = 1", column("d:totalprice").eq(1L)),
        arguments("\"d\".\"total price\" = 1", column("d:total price").eq(1L)),
        arguments("\"a\"\"b\" = 1", column("a\"b").eq(1L)),
        arguments("\"true\" = 1", column("true").eq(1L)),
        arguments("\"d:a.b-c\" = 1", column("d:a.b-c").eq(1L)),
        arguments("date = 1", column("date").eq(1L)),
        arguments("timestamp = 1", column("timestamp").eq(1L)),
        arguments("value = 1 AND key = 2", and(column("value").eq(1L), column("key").eq(2L))),
        arguments("CAST(a AS LONG) = 1", column("a", ValueType.LONG).eq(1L)),
        arguments("cast(a as long) = 1", column("a", ValueType.LONG).eq(1L)),
        arguments("1 < CAST(d.a AS INT)", column("d:a", ValueType.INT).gt(1L)),
        arguments("CAST(\"d:a\" AS TEXT_LONG) = 1", column("d:a", ValueType.TEXT_LONG).eq(1L)),
        arguments("CAST(a AS DATE) IS NULL", column("a", ValueType.DATE).isNull()),
        arguments("CAST(a AS TIMESTAMP) IN (1)", column("a", ValueType.TIMESTAMP).in(1L)),
        arguments("CAST(a AS STRING) LIKE 'x%'", column("a", ValueType.STRING).startsWith("x")));
  }

  static Stream<Arguments> conditions() {
    return Stream.of(
        arguments("a BETWEEN 1 AND 2", column("a").between(1L, 2L)),
        arguments("a BETWEEN -2 AND 'x'", column("a").between(-2L, "x")),
        arguments("a NOT BETWEEN 1 AND 2", column("a").between(1L, 2L).not()),
        arguments("a BETWEEN 1 AND 2 AND b = 2", and(column("a").between(1L, 2L), B2)),
        arguments("a IN (1)", column("a").in(1L)),
        arguments("a IN (1, -2, 'x', (3))", column("a").in(1L, -2L, "x", 3L)),
        arguments("a NOT IN ('x', 'y')", column("a").in("x", "y").not()),
        arguments("a LIKE 'abc%'", column("a").startsWith("abc")),
        arguments("a LIKE '%'", column("a").startsWith("")),
        arguments("a LIKE ('abc%')", column("a").startsWith("abc")),
        arguments("a NOT LIKE 'abc%'", column("a").startsWith("abc").not()),
        arguments("a LIKE '100\\%%'", column("a").startsWith("100%")),
        arguments("a LIKE 'a\\_b\\\\%'", column("a").startsWith("a_b\\")),
        arguments("a = 'C:\\''s'", column("a").eq("C:\\'s")),
        arguments(
            "a = 'C:\\' AND \"d:it's\" = '\\'",
            column("a").eq("C:\\").and(column("d:it's").eq("\\"))),
        arguments("a LIKE 'a!%!!%' ESCAPE '!'", column("a").startsWith("a%!")),
        arguments("a LIKE 'a\\b%' ESCAPE '!'", column("a").startsWith("a\\b")),
        arguments("a LIKE 'it''s%'", column("a").startsWith("it's")),
        arguments("a IS NULL", column("a").isNull()),
        arguments("a IS NOT NULL", column("a").isNotNull()),
        arguments("(a) IS NULL", column("a").isNull()));
  }

  static Stream<Arguments> logic() {
    return Stream.of(
        arguments("a = 1 AND b = 2", and(A1, B2)),
        arguments("a = 1 and b = 2 And c = 3", and(A1, B2, C3)),
        arguments("a = 1 OR b = 2 OR c = 3", or(A1, B2, C3)),
        arguments("a = 1 OR b = 2 AND c = 3", or(A1, and(B2, C3))),
        arguments("(a = 1 OR b = 2) AND c = 3", and(or(A1, B2), C3)),
        arguments("a = 1 AND (b = 2 OR c = 3)", and(A1, or(B2, C3))),
        arguments("((a = 1))", A1),
        arguments("NOT a = 1", A1.not()),
        arguments("NOT a = 1 AND b = 2", and(A1.not(), B2)),
        arguments("NOT (a = 1 AND b = 2)", and(A1, B2).not()),
        arguments("NOT (NOT (a = 1))", A1.not().not()),
        arguments("NOT a IN (1)", column("a").in(1L).not()),
        arguments("NOT a IS NULL", column("a").isNotNull()),
        arguments("a = 1 -- a comment", A1),
        arguments("a = 1 /* a comment */ AND\n\tb = 2", and(A1, B2)));
  }

  @ParameterizedTest
  @MethodSource({"comparisons", "literals", "columns", "conditions", "logic"})
  void reads(String text, Predicate expected) {
    assertThat(WhereParser.parse(text)).as(text).isEqualTo(expected);
  }

  static Stream<Arguments> unreadable() {
    return Stream.of(
        arguments("", "is empty"),
        arguments(" \n", "is empty"),
        arguments("-- nothing", "is empty"),
        arguments("a = = 1", "cannot be read from line 1, column 3 on, at '='"),
        arguments("a = 1 AND", "cannot be read from line 1, column 7 on, at 'AND'"),
        arguments("a = 1 AND AND b = 2", "line 1, column 7"),
        arguments("a = 1\nb = 2", "line 2, column 1 on, at 'b'"),
        arguments("a = 1)", "line 1, column 6 on, at ')'"),
        arguments("(a = 1", "ends too early, at line 1, column 6"),
        arguments("a BETWEEN 1", "ends too early, at line 1"),
        arguments("a = 'open", "cannot be split into words: Lexical error at line 1"),
        arguments("a = 1; DROP TABLE t", "line 1, column 6 on, at ';'"),
        arguments("SELECT * FROM t", "line 1, column 1 on, at 'SELECT'"),
        arguments("WHERE a = 1", "line 1, column 1 on, at 'WHERE'"),
        arguments("a = 1 LIMIT 10", "line 1, column 7 on, at 'LIMIT'"),
        arguments("(a = 1) IS NULL", "line 1, column 9 on, at 'IS'"),
        arguments("a < 1 < 2", "line 1, column 7 on, at '<'"),
        arguments("(".repeat(81) + "a = 1" + ")".repeat(81), "more than 80 deep"));
  }

  static Stream<Arguments> unsupported() {
    return Stream.of(
        arguments("f(a) = 1", "'f(a)': functions are not supported"),
        arguments("a = f(1)", "'f(1)': functions are not supported"),
        arguments("a = DATE('1997-03-10')", "functions are not supported"),
        arguments("a IN (SELECT b FROM t)", "IN needs a list of literals in parentheses"),
        arguments("a = (SELECT 1)", "subqueries are not supported"),
        arguments("EXISTS (SELECT 1)", "subqueries are not supported"),
        arguments("a + 1 = 2", "'a + 1': arithmetic is not supported"),
        arguments("a = 1 + 1", "'1 + 1': arithmetic is not supported"),
        arguments("a || 'b' = 'ab'", "arithmetic is not supported"),
        arguments("a = b", "'a = b': compares two columns; one side must be a literal"),
        arguments("a = \"x\"", "text in single quotes"),
        arguments("a = 5L", "compares two columns"),
        arguments("1 = 1", "'1': this is not supported"),
        arguments("a", "'a': is a column, not a condition; write for example a = TRUE"),
        arguments("TRUE", "not a condition"),
        arguments("a = 1 AND b", "'b': is a column, not a condition"),
        arguments("CASE WHEN a = 1 THEN 1 END = 1", "CASE is not supported"),
        arguments("?", "parameters where a condition stands are not supported"),
        arguments(":p", "parameters where a condition stands are not supported"),
        arguments("a = 1 XOR b = 2", "not supported"),
        arguments("a ~ 'x'", "not supported"),
        arguments("a IS TRUE", "not supported"),
        arguments("a IS DISTINCT FROM 1", "not supported"),
        arguments("(a, b) = (1, 2)", "'(a, b)': lists are not supported"),
        arguments("NOT NOT a = 1", "in parentheses: NOT (NOT a = 1)"),
        arguments("(NOT a) IS NULL", "NOT before a column is not supported"),
        arguments("a(+) = 1", "joins are not supported"),
        arguments("PRIOR a = 1", "joins are not supported"),
        arguments("a[1] = 1", "array elements are not supported"),
        arguments("a.b.c = 1", "write \"family:qualifier\" in quotes"),
        arguments("a:b.c = 1", "write \"family:qualifier\" in quotes"),
        arguments("a BETWEEN b AND 2", "'b': must be a literal"),
        arguments("1 BETWEEN a AND 2", "'1': this is not supported"),
        arguments("a IN ()", "at least one literal"),
        arguments("a IN 1", "IN needs a list of literals"),
        arguments("a IN (b)", "'b': must be a literal"),
        arguments("a GLOBAL IN (1)", "IN needs a list of literals"),
        arguments("a IN (1, NULL)", "nothing compares with NULL; use IS NULL or IS NOT NULL"),
        arguments("a = NULL", "nothing compares with NULL"),
        arguments("TRY_CAST(a AS LONG) = 1", "this form of CAST is not supported"),
        arguments("a::LONG = 1", "this form of CAST is not supported"),
        arguments("CAST(f(a) AS LONG) = 1", "this form of CAST is not supported"),
        arguments("CAST('1' AS LONG) = a", "not supported"),
        arguments("CAST(a AS ROW(b INT)) = 1", "cannot be read"),
        arguments("CAST(a AS VARCHAR) = 1", "VARCHAR"),
        arguments("CAST(a AS DECIMAL(10, 2)) = 1", "DECIMAL (10, 2)"),
        arguments("CAST(a AS LONG[]) = 1", "LONG[]"));
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        arguments("a LIKE '%abc'", "only patterns with one % at the end"),
        arguments("a LIKE 'a_c%'", "only patterns with one % at the end"),
        arguments("a LIKE 'abc'", "for the whole text use ="),
        arguments("a LIKE 'abc\\%'", "for the whole text use ="),
        arguments("a LIKE ''", "for the whole text use ="),
        arguments("a LIKE 'a\\b%'", "escape character \\ must be followed by"),
        arguments("a LIKE 'abc\\'", "escape character \\ must be followed by"),
        arguments("a LIKE 'x%' ESCAPE 'ab'", "ESCAPE needs one character"),
        arguments("a LIKE b", "only LIKE with a text"),
        arguments("a LIKE 1", "only LIKE with a text"),
        arguments("a ILIKE 'x%'", "only LIKE with a text"),
        arguments("a RLIKE 'x'", "only LIKE with a text"),
        arguments("a LIKE BINARY 'x%'", "only LIKE with a text"),
        arguments("'x' LIKE a", "only LIKE with a text"),
        arguments("a = E'x'", "without a prefix"),
        arguments("a = DATE '1997-02-30'", "is not a date such as DATE '1997-03-10'"),
        arguments("a = DATE '10.3.1997'", "is not a date"),
        arguments("a = TIMESTAMP 'noon'", "TIMESTAMP '1997-03-10 12:00:00'"),
        arguments("a = TIME '01:02:03'", "only DATE and TIMESTAMP literals"),
        arguments("a = 1e2147483649", "an exponent of 32 bits"),
        arguments("a = ~1", "not supported"));
  }

  @ParameterizedTest
  @MethodSource({"unreadable", "unsupported", "malformed"})
  void refusesInOneLine(String text, String why) {
    assertThatThrownBy(() -> WhereParser.parse(text))
        .as(text)
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining(why)
        .hasMessageStartingWith("WHERE \"")
        .message()
        .hasLineCount(1)
        .hasSizeLessThan(500);
  }

  /** An order's column is named as in conditions: in quotes nothing in it is read. */
  @Test
  void columnsOfOrdersInQuotes() {
    for (String name : List.of("f:(x)", "f:CAST(a AS LONG)", "f:a\"b", "f:a", "\"a\"", "\"(a)\"")) {
      String quoted = "\"" + name.replace("\"", "\"\"") + "\"";
      ColumnRef column = new ColumnRef(name, null);
      assertThat(WhereParser.column("ORDER BY", Query.all().orderBy(quoted).order().get().column()))
          .isEqualTo(column);
    }
    assertThat(WhereParser.column("ORDER BY", "CAST(\"f:(x)\" AS LONG)"))
        .isEqualTo(new ColumnRef("f:(x)", ValueType.LONG));
    assertThatThrownBy(() -> WhereParser.column("ORDER BY", "f:(x)"))
        .hasMessageStartingWith("ORDER BY \"f:(x)");
  }

  @Test
  void namesTheTextShortened() {
    String text = "a = 'x'   AND\n b = = '" + "y".repeat(1000) + "'";
    assertThatThrownBy(() -> WhereParser.parse(text))
        .hasMessageStartingWith("WHERE \"a = 'x' AND b = = 'y")
        .hasMessageContaining("...\": ");
  }

  @Test
  void longTextIsReadInTime() {
    String in = "a IN (1" + ", 2".repeat(20_000) + ")";
    String or = "a = 1" + " OR a = 2".repeat(20_000);
    String deep = "(a = 1 AND (b = 2 OR ".repeat(40) + "c = 3" + "))".repeat(40);
    Assertions.assertTimeout(
        Duration.ofSeconds(30),
        () -> {
          assertThat(((Predicate.In) WhereParser.parse(in)).literals()).hasSize(20_001);
          assertThat(((Predicate.Or) WhereParser.parse(or)).children()).hasSize(20_001);
          assertThat(WhereParser.parse(deep)).isInstanceOf(Predicate.And.class);
        });
  }
}
