package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.predicate.Predicates;
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
}
