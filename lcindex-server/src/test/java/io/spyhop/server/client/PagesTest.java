package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.client.RowOrder;
import io.spyhop.client.RowPage;
import io.spyhop.client.Spyhop;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of a query, and tokens that do not fit. The model check compares pages with scans. */
class PagesTest {
  private static IndexedTableFixture fixture;
  private static Spyhop spyhop;
  private static IndexedTable table;

  @BeforeAll
  static void start() throws Exception {
    fixture = new IndexedTableFixture(TestCluster.get(), f -> f);
    for (int pair = 0; pair < 3; pair++) {
      fixture.price("row" + 2 * pair, pair);
      fixture.price("row" + (2 * pair + 1), pair);
    }
    spyhop = Spyhop.connect(TestCluster.get().connection());
    table = spyhop.table(fixture.name());
  }

  @AfterAll
  static void stop() throws Exception {
    spyhop.close();
    fixture.close();
  }

  private static List<List<String>> pages(Query query, int size) throws IOException {
    List<List<String>> pages = new ArrayList<>();
    Optional<String> token = Optional.empty();
    do {
      RowPage page = table.page(query, size, token);
      pages.add(page.rows().stream().map(r -> Bytes.toString(r.getRow())).toList());
      token = page.next();
    } while (token.isPresent());
    return pages;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | [[row0], [row1], [row2], [row3], [row4], [row5]]",
        "4 | [[row0, row1, row2, row3], [row4, row5]]",
        "6 | [[row0, row1, row2, row3, row4, row5]]",
        "9 | [[row0, row1, row2, row3, row4, row5]]"
      })
  void inTheOrderOfKeys(int size, String expected) throws IOException {
    assertThat(pages(Query.all(), size)).hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  void inTheOrderOfValues(int size) throws IOException {
    assertThat(pages(Query.all().orderBy("price", Order.DESC), size).stream().flatMap(List::stream))
        .containsExactly("row4", "row5", "row2", "row3", "row0", "row1");
    assertThat(
            pages(Query.where("price > 0").orderBy("price"), size).stream().flatMap(List::stream))
        .containsExactly("row2", "row3", "row4", "row5");
  }

  /** Of the last value no greater key is in the range. */
  @Test
  void aPageEndsWhereTheRangeOfKeysDoes() throws IOException {
    Query query =
        Query.all()
            .range(Bytes.toBytes("row0"), Bytes.toBytes("row3\0"))
            .orderBy("price", Order.DESC);
    assertThat(pages(query, 2)).hasToString("[[row2, row3], [row0, row1]]");
  }

  @Test
  void aTokenIsOfItsQuery() throws IOException {
    Query query = Query.where("price < :most").set("most", 2);
    String token = table.page(query, 1, Optional.empty()).next().orElseThrow();
    assertThat(table.page(query.caching(1).hint("scan"), 9, Optional.of(token)).rows()).hasSize(3);
    for (Query other :
        List.of(
            Query.where("price < :most").set("most", 1),
            query.orderBy("price"),
            query.select("price"),
            query.readLike(new Scan().setTimeRange(0, 9)),
            query.range(Bytes.toBytes("row0"), Bytes.toBytes("row9")))) {
      assertThatThrownBy(() -> table.page(other, 1, Optional.of(token)))
          .as(other.toString())
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("not of a page of table");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense", "%%%", "U1BQSwE"})
  void whatIsNoTokenIsRefused(String token) {
    assertThatThrownBy(() -> table.page(Query.all(), 1, Optional.of(token)))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("no token of a page of table '")
        .hasMessageNotContaining("Exception");
  }

  @Test
  void whatHasNoPagesIsRefused() {
    assertRefused(Query.all(), 0, "it may have 1 to");
    assertRefused(Query.all().limit(3), 1, "leave out limit");
    assertRefused(Query.all().rowOrder(RowOrder.ANY), 1, "not in any order");
  }

  private static void assertRefused(Query query, int size, String said) {
    assertThatThrownBy(() -> table.page(query, size, Optional.empty()))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining(said);
  }
}
