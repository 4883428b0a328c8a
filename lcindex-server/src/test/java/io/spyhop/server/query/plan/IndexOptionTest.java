package io.spyhop.server.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.RegionPlan.Estimate;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The cost of an index in a region of a million rows. */
class IndexOptionTest {
  private static final int ROWS = 1_000_000;
  private static final CostModel COSTS = CostModel.DEFAULT;
  private static final Percentage ABOUT = Percentage.withPercentage(10);

  /** One that finds a tenth of the rows, alone. */
  private static IndexOption tenth(Layout layout, double several) {
    IndexDefinition index =
        IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).layout(layout).build();
    double cost = COSTS.index(ROWS / 10, 0, 1, 0);
    IndexOption o =
        new IndexOption(
            index, new Estimate("a", ROWS / 10, 1, 0), ROWS, 0.1, 0, several, 0, 0, cost, cost);
    return o.isColumnar() ? o.narrowed(List.of(o), COSTS) : o;
  }

  private static IndexOption asked(IndexOption o, double part, long limit) {
    return o.asked(part, part * ROWS / 10, limit, COSTS);
  }

  @Test
  void rowsThatAreNotAskedForAreNotFetched() {
    IndexOption all = tenth(Layout.COLUMNAR, 0);
    double fetching = ROWS / 10 * COSTS.fetch();
    assertThat(asked(all, 1, Long.MAX_VALUE).cost()).isEqualTo(all.cost());
    assertThat(all.cost()).isGreaterThan(fetching);
    assertThat(asked(all, 0.5, Long.MAX_VALUE).cost()).isCloseTo(all.cost() / 2, ABOUT);
    IndexOption first = asked(all, 1, 100);
    assertThat(first.cost()).isLessThan(COSTS.setUp() + 200 * COSTS.fetch());
    assertThat(first.whole()).as("if other conditions leave none").isEqualTo(all.cost());
  }

  /** Records sorted by value are all read. */
  @Test
  void anotherLayoutIsReadWhole() {
    IndexOption all = tenth(Layout.CLUSTERING, 0);
    assertThat(asked(all, 0.5, 100).cost()).isEqualTo(all.cost());
  }

  @Test
  void rowsOfSeveralFilesAreFetchedFromEach() {
    double once = tenth(Layout.COLUMNAR, 0).cost();
    double half = tenth(Layout.COLUMNAR, 0.5).cost();
    assertThat(half - once).isCloseTo(ROWS / 20 * COSTS.fetch(), ABOUT);
  }
}
