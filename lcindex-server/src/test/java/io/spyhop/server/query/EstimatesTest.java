package io.spyhop.server.query;

import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The planner's estimates of what is read hold within a factor of 2. */
class EstimatesTest {
  private static final int ROWS = 8_000;
  private static final int FILES = 2;

  private enum Data {
    UNIQUE(i -> i),
    CONSTANT(i -> 1234),
    TWO_CLUSTERS(i -> i % 2 == 0 ? i % 500 : 1_000_000 + i % 20),
    ZIPF(i -> Math.floor(Math.pow(ROWS, (i + 0.5) / ROWS)));

    private final IntToDoubleFunction value;

    Data(IntToDoubleFunction value) {
      this.value = value;
    }

    private double value(int i) {
      return value.applyAsDouble(i);
    }

    private List<Put> rows(int file) {
      List<Put> puts = new ArrayList<>();
      for (int i = file; i < ROWS; i += FILES) {
        puts.add(
            new Put(Bytes.toBytes("r%05d".formatted(i)))
                .addColumn(F, q("price"), Bytes.toBytes(value(i))));
      }
      return puts;
    }
  }

  @ParameterizedTest
  @EnumSource(Data.class)
  void areWithinAFactorOfTwo(Data data) throws IOException {
    try (IndexedTableFixture t = IndexedTableFixture.clustering();
        Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      for (int file = 0; file < FILES; file++) {
        t.table().put(data.rows(file));
        t.flushAndIndex();
      }
      Random random = new Random(5);
      for (int i = 0; i < 15; i++) {
        int from = random.nextInt(ROWS);
        int to = Math.min(ROWS - 1, from + (int) Math.pow(ROWS, random.nextDouble()));
        double lower = Math.min(data.value(from), data.value(to));
        double upper = Math.max(data.value(from), data.value(to));
        check(spyhop.table(t.name()), "price = " + lower);
        check(spyhop.table(t.name()), "price BETWEEN " + lower + " AND " + upper);
        check(spyhop.table(t.name()), "price IN (" + lower + ", " + upper + ", 0.5, -3)");
      }
    }
  }

  private static void check(IndexedTable table, String where) throws IOException {
    Query query = Query.where(where).hint(Attributes.PATH_INDEX);
    RegionPlan plan = table.explainAnalyze(query).regions().get(0);
    long read = plan.actual().orElseThrow().records();
    assertThat(plan.estimates()).as(where).hasSize(1);
    assertThat(plan.estimates().get(0).records()).as(where).isBetween((read + 1) / 2, 2 * read);
    assertThat(table.explain(query).regions().get(0).estimates()).isEqualTo(plan.estimates());
  }
}
