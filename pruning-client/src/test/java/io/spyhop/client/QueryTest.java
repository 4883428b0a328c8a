package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class QueryTest {
  private static final Query BASE = Query.where("a = 1");

  @Test
  void textAndPredicateMeanTheSame() {
    assertThat(BASE.predicate()).isEqualTo(Query.where(Predicates.column("a").eq(1L)).predicate());
  }

  @Test
  void defaults() {
    assertThat(BASE.selected()).isEmpty();
    assertThat(BASE.limit()).isEmpty();
    assertThat(BASE.caching()).isEqualTo(Query.DEFAULT_CACHING);
    assertThat(BASE.hint()).isEmpty();
    assertThat(BASE).hasToString("WHERE a = 1");
  }

  @Test
  void everyMethodGivesAChangedCopy() {
    Query changed =
        BASE.select("d", "e:x")
            .limit(5)
            .caching(10)
            .hint("price")
            .range(Bytes.toBytes("b"), Bytes.toBytes("c"));
    assertThat(changed).hasToString("SELECT d, e:x WHERE a = 1 WITHIN [b, c) LIMIT 5 HINT price");
    assertThat(changed.caching()).isEqualTo(10);
    assertThat(BASE).hasToString("WHERE a = 1");
    assertThat(BASE.caching()).isEqualTo(Query.DEFAULT_CACHING);
  }

  @Test
  void namesMayBeInQuotesAsInConditions() {
    Query quoted = BASE.select("\"d:a b\"", "\"e:\"\"\"").orderBy("\"d:a\"");
    assertThat(quoted).hasToString(BASE.select("d:a b", "e:\"").orderBy("d:a").toString());
  }

  @Test
  void doesNotShareArrays() {
    byte[] start = Bytes.toBytes("b");
    String[] columns = {"d"};
    Query query = BASE.range(start, Bytes.toBytes("c")).select(columns);
    start[0] = 'x';
    columns[0] = "x";
    assertThat(query).hasToString("SELECT d WHERE a = 1 WITHIN [b, c)");
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> BASE.limit(0))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessage("limit 0 is not 1 or more");
    assertThatThrownBy(() -> BASE.caching(-1)).hasMessage("caching -1 is not 1 or more");
    assertThatThrownBy(() -> Query.where("a =")).isInstanceOf(InvalidQueryException.class);
  }

  @Test
  void saysWhatIsNull() {
    assertThatThrownBy(() -> Query.where((String) null)).hasMessage("the condition is null");
    assertThatThrownBy(() -> BASE.select("d", null)).hasMessage("a selected column is null");
    assertThatThrownBy(() -> BASE.hint(null)).hasMessage("the hint is null");
    assertThatThrownBy(() -> BASE.range(null, new byte[0])).hasMessageContaining("first row");
    assertThatThrownBy(() -> BASE.consistency(null)).hasMessage("the consistency is null");
    assertThatThrownBy(() -> Consistency.parse(null)).hasMessage("the consistency is null");
    assertThatThrownBy(() -> Spyhop.connect(null)).hasMessage("the connection is null");
    assertThatThrownBy(() -> Predicates.column(null).eq(1)).hasMessageContaining("column is null");
    assertThatThrownBy(() -> Predicates.and((Predicate[]) null)).hasMessageContaining("AND");
    assertThatThrownBy(() -> Predicates.column("a").isNull().and(null))
        .hasMessageContaining("a condition of AND");
    assertThatThrownBy(() -> Predicates.column("a").in((Object[]) null))
        .hasMessageContaining("literals of IN");
  }

  @Test
  void aListOfLiteralsIsNotOneLiteral() {
    assertThat(Predicates.column("a").in(List.of(1, 2))).hasToString("a IN (1, 2)");
    assertThatThrownBy(() -> Predicates.column("a").in(new long[] {1, 2}))
        .hasMessageContaining("column a is compared with a long[] as one value");
    assertThatThrownBy(() -> Predicates.column("a").eq(List.of(1)))
        .hasMessageContaining("give single values, or a Collection to in(...)");
  }
}
