package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.F;
import static io.spyhop.server.testing.GlobalFixture.V;
import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The first rows in the order of values, by a global index, are those of the plain scan, sorted.
 */
class GlobalOrderTest {
  private static final int ROWS = 900;
  private static final int VALUES = 300;

  private static GlobalFixture table;
  private static GlobalFixture decimals;
  private static Spyhop spyhop;

  /** Rows of three to a value; a third were written twice, so that entries are obsolete. */
  @BeforeAll
  static void create() throws Exception {
    spyhop = Spyhop.connect(TestCluster.get().connection());
    table =
        new GlobalFixture(
            TestCluster.get(), f -> f, d -> d.maintenance(Maintenance.DEFERRED), "r0300", "r0600");
    for (int i = 0; i < ROWS; i += 3) {
      table.write(put(row(i), -i));
    }
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(put(row(i), i * 7 % VALUES).addColumn(F, Bytes.toBytes("w"), Bytes.toBytes(i % 2L)));
    }
    table.table().put(puts);
    table.table().delete(new Delete(Bytes.toBytes(row(0))));
    table.awaitBuilt();
    decimals = new GlobalFixture(TestCluster.get(), f -> f, d -> d.type(ValueType.DECIMAL));
    decimals.awaitBuilt();
  }

  @AfterAll
  static void drop() throws IOException {
    spyhop.close();
    table.close();
    decimals.close();
  }

  private static String row(int i) {
    return "r%04d".formatted(i);
  }

  private static List<String> rows(GlobalFixture of, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(of.name()).query(query)) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  /** By the index, and as sorted by the client. */
  private static QueryPlan.Global agreed(GlobalFixture of, Query query) throws IOException {
    List<String> sorted = rows(of, query.hint(Attributes.PATH_SCAN));
    Query byIndex = query.hint("v");
    assertThat(rows(of, byIndex)).as("%s", query).isEqualTo(sorted).isNotEmpty();
    QueryPlan.Global global =
        spyhop.table(of.name()).explainAnalyze(byIndex).global().orElseThrow();
    assertThat(global.reason()).isEmpty();
    assertThat(global.index()).isEqualTo("v");
    return global;
  }

  @Test
  void firstAndLastRows() throws IOException {
    for (Order order : Order.values()) {
      for (int limit : new int[] {1, 3, 10, 50}) {
        QueryPlan.Global global = agreed(table, Query.all().orderBy("v", order).limit(limit));
        assertThat(global.entries()).as("%s %s", order, limit).isLessThan(ROWS);
      }
    }
    assertThat(agreed(table, Query.all().orderBy("v", Order.DESC).limit(10)).entries())
        .isLessThan(60);
  }

  @Test
  void moreRowsThanThereAre() throws IOException {
    agreed(table, Query.where("v < 5").orderBy("v", Order.DESC).limit(5_000));
    agreed(table, Query.where("v >= 290").orderBy("v").limit(5_000));
  }

  @Test
  void otherConditionsAndRanges() throws IOException {
    for (Order order : Order.values()) {
      agreed(
          table, Query.where("v > 5 AND CAST(\"f:w\" AS LONG) = 1").orderBy("v", order).limit(7));
      agreed(
          table,
          Query.where("v IN (4, 200, 17, 90) OR v BETWEEN 250 AND 260")
              .orderBy("v", order)
              .limit(9));
      agreed(
          table,
          Query.all()
              .orderBy("v", order)
              .limit(9)
              .range(Bytes.toBytes("r0100"), Bytes.toBytes("r0200")));
      agreed(table, Query.all().orderBy("v", order).limit(9).select("w"));
    }
  }

  @Test
  void theIndexMayHaveTwoRegions() throws Exception {
    split(table.indexRow("r0100", 150));
    for (Order order : Order.values()) {
      agreed(table, Query.all().orderBy("v", order).limit(400));
      agreed(table, Query.where("v BETWEEN 100 AND 200").orderBy("v", order).limit(200));
    }
  }

  private static void split(byte[] at) throws Exception {
    RegionInfo region =
        TestCluster.get().admin().getRegions(table.indexName()).stream()
            .filter(r -> r.containsRow(at))
            .findFirst()
            .orElseThrow();
    TestCluster.get()
        .admin()
        .splitRegionAsync(region.getRegionName(), at)
        .get(60, TimeUnit.SECONDS);
  }

  @Test
  void decimalsShareKeysAndHaveNone() throws IOException {
    String many = "1.0000000000000000000000000000000000000";
    String[] values = {
      many + "2", "1", many + "1", "1.0", "1e5000", "-1e5000", "2", "-7", "1e-5000"
    };
    for (int i = 0; i < values.length; i++) {
      decimals.write(
          new Put(Bytes.toBytes(row(i))).addColumn(F, V, Bytes.toBytes(new BigDecimal(values[i]))));
    }
    decimals.write(new Put(Bytes.toBytes("undecodable")).addColumn(F, V, new byte[2]));
    for (Order order : Order.values()) {
      for (int limit = 1; limit < values.length; limit++) {
        agreed(decimals, Query.all().orderBy("v", order).limit(limit));
      }
    }
  }

  /** What the client chooses by itself is the same, whatever it is. */
  @Test
  void withoutAHint() throws IOException {
    for (Order order : Order.values()) {
      Query query = Query.all().orderBy("v", order).limit(10);
      assertThat(rows(table, query)).isEqualTo(rows(table, query.hint(Attributes.PATH_SCAN)));
      assertThat(spyhop.table(table.name()).explain(query).toString())
          .contains("in the order of a global index");
    }
  }
}
