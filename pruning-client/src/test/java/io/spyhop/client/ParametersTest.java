package io.spyhop.client;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.InvalidPredicateException;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexSchema;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {
  private static Predicate set(String text, Object... values) {
    Query query = Query.where(text);
    for (int i = 0; i < values.length; i++) {
      query = query.set(i + 1, values[i]);
    }
    return query.predicate().orElseThrow();
  }

  @Test
  void standWhereLiteralsDo() {
    assertThat(set("a = ? AND ? > b", 1L, "x"))
        .isEqualTo(column("a").eq(1L).and(column("b").lt("x")));
    assertThat(set("a BETWEEN ? AND ?", 1, 2.5)).isEqualTo(column("a").between(1, 2.5));
    assertThat(set("NOT (a IN (?, 7, ?))", 1L, BigDecimal.TEN))
        .isEqualTo(column("a").in(1L, 7L, BigDecimal.TEN).not());
    assertThat(set("a LIKE ? OR b IS NULL", "5\\%%"))
        .isEqualTo(column("a").startsWith("5%").or(column("b").isNull()));
  }

  @Test
  void ofTheSameNameHaveTheSameValue() {
    Query query = Query.where("a >= :least AND (b < :least OR c = :name)");
    assertThat(query.set("name", "n").set("least", 3L).predicate().orElseThrow())
        .isEqualTo(column("a").ge(3L).and(column("b").lt(3L).or(column("c").eq("n"))));
    assertThat(query.predicate().orElseThrow())
        .as("the query that was changed")
        .hasToString("a >= :least AND (b < :least OR c = :name)");
  }

  @Test
  void takeAListInIn() {
    assertThat(set("a IN (?)", List.of("x", "y"))).isEqualTo(column("a").in("x", "y"));
    assertThat(set("a IN ('w', ?)", List.of("x", "y"))).isEqualTo(column("a").in("w", "x", "y"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x' OR name IS NOT NULL OR name = 'x",
        "'; DROP TABLE orders; --",
        "?",
        ":name",
        "\\' OR 1 = 1"
      })
  void areNeverText(String value) {
    assertThat(set("name = ?", value)).isEqualTo(column("name").eq(value));
  }

  @Test
  void areRefusedWithoutAPlace() {
    Query query = Query.where("a = ? AND b = :b");
    assertThatThrownBy(() -> query.set("c", 1))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessage(
            "the condition has no parameter 'c' without a value (one is given once); it has [?1, :b]:"
                + " a = ?1 AND b = :b");
    assertThatThrownBy(() -> query.set(2, 1)).isInstanceOf(InvalidQueryException.class);
    assertThatThrownBy(() -> query.set(1, 1).set(1, 2))
        .hasMessageContaining("without a value (one is given once); it has [:b]");
    assertThatThrownBy(() -> Query.all().set("c", 1)).hasMessageContaining("it has none: ALL");
  }

  @Test
  void areRefusedWithoutAValue() {
    assertThatThrownBy(() -> set("a = ?", (Object) null))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("parameter ?1: column a is compared with null: use IS NULL");
    assertThatThrownBy(() -> set("a IN (?)", List.of()))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("IN () needs at least one literal");
    assertThatThrownBy(() -> set("a IN (?)", Arrays.asList(1, null)))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessage("parameter ?1: null is among its values, and equals nothing");
    assertThatThrownBy(() -> set("a LIKE ?", (Object) null)).hasMessageContaining("not null");
    assertThatThrownBy(() -> set("a LIKE ?", new byte[1])).hasMessageContaining("no byte[]");
    assertThatThrownBy(() -> set("a = ?", List.of(1, 2)))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("as one value");
    assertThatThrownBy(() -> set("a LIKE ?", 5)).hasMessageContaining("LIKE takes a text");
    assertThatThrownBy(() -> set("a LIKE ?", "%b")).hasMessageContaining("'%b': only patterns");
  }

  @Test
  void keepTheirValuesWhenTheOriginalsChange() {
    byte[] bytes = {1, 2};
    Date date = new Date(5);
    StringBuilder text = new StringBuilder("x");
    Predicate set = set("a = ? AND b IN (?) AND c = ?", bytes, List.of(date), text);
    bytes[0] = 9;
    date.setTime(9);
    text.append("y");
    assertThat(set)
        .hasToString("a = '\\x01\\x02' AND b IN ('1970-01-01T00:00:00.005Z') AND c = 'x'");
  }

  @Test
  void needValuesBeforeTheyAreSent() {
    SchemaResolver schema = new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f"));
    Predicate predicate = Query.where("CAST(f:a AS LONG) IN (1, :more)").predicate().orElseThrow();
    assertThatThrownBy(() -> Binder.bind(predicate, schema))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining(
            "table 't': parameter :more of CAST(\"f:a\" AS LONG) IN (1, :more) has no value");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "? = 1",
        "? = ?",
        "a LIKE ? ESCAPE '!'",
        "? IS NULL",
        "a = ? + 1",
        "?",
        "a = ?0",
        "a = ?1000000000",
        "a = ? AND b = ?1",
        "a = ?2 AND b = ?"
      })
  void areRefusedElsewhere(String text) {
    assertThatThrownBy(() -> Query.where(text)).isInstanceOf(InvalidQueryException.class);
  }

  @Test
  void areWrittenAsTheyAreRead() {
    for (String text : List.of("a = ?1 AND b = ?2", "a LIKE :p", "a BETWEEN :x AND ?1", "a = ?7")) {
      assertThat(Query.where(text).predicate().orElseThrow()).hasToString(text);
    }
  }
}
