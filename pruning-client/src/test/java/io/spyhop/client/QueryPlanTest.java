package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionPlan.Actual;
import io.spyhop.core.protocol.RegionPlan.Estimate;
import io.spyhop.core.protocol.RegionPlan.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueryPlanTest {
  private static RegionPlan indexed(String region, String driving) {
    return new RegionPlan(
        region,
        "host1,16020,1",
        Path.LOCAL_INDEX,
        "fewest records",
        driving,
        List.of(new Estimate("date", 900, 3, 0), new Estimate("price", 120, 3, 0)),
        50_000,
        3,
        0,
        17,
        Optional.empty());
  }

  private static RegionPlan scanning(String region) {
    return new RegionPlan(
        region,
        "host22,16020,1",
        Path.SCAN,
        "scan is cheaper",
        "",
        List.of(),
        400,
        0,
        0,
        0,
        Optional.empty());
  }

  private static QueryPlan explained(RegionPlan... regions) {
    return new QueryPlan("orders", "d:price = 5", List.of(regions), Optional.empty());
  }

  @Test
  void showsWhatIsPlanned() {
    assertThat(explained(indexed("5f1d", "price"), scanning("a0")).toText())
        .isEqualTo(
            """
table:     orders
where:     d:price = 5
driving:   price
estimated: 120 index records

region  server          path         driving   estimated  records  covered  missing  memstore  candidates  re-reads  rows  ms  reason
5f1d    host1,16020,1   local_index  price           120        -        3        0        17           -         -     -   -  fewest records
a0      host22,16020,1  scan         -        ~400 cells        -        0        0         0           -         -     -   -  scan is cheaper
""");
  }

  @Test
  void showsWhatHappened() {
    RegionPlan first = indexed("5f1d", "price").with(new Actual(118, 17, 40, 6, 12, 2_345_678, ""));
    RegionPlan second =
        indexed("a0", "date").with(new Actual(9000, 0, 9000, 0, 0, 99_000_000, "memory budget"));
    QueryPlan plan =
        new QueryPlan(
            "orders",
            "d:price = 5",
            List.of(first, second),
            Optional.of(new QueryPlan.Run(12, Duration.ofMillis(105))));
    assertThat(plan.toText())
        .isEqualTo(
            """
table:     orders
where:     d:price = 5
driving:   date
estimated: 1020 index records
actual:    9118 index records, 9040 candidates, 6 re-reads, 12 rows in 105 ms

region  server         path         driving  estimated  records  covered  missing  memstore  candidates  re-reads  rows    ms  reason
5f1d    host1,16020,1  local_index  price          120      118        3        0        17          40         6    12   2.3  fewest records
a0      host1,16020,1  local_index  date           900     9000        3        0        17        9000         0     0  99.0  fewest records; fell back: memory budget
""");
    assertThat(plan).hasToString(plan.toText());
    assertThat(plan.toText(100).lines().skip(6))
        .containsExactly(
            "region  path         driving  estimated  records  rows  reason",
            "5f1d    local_index  price          120      118    12  fewest records",
            "a0      local_index  date           900     9000     0  fewest records; fell back:"
                + " memory budget");
    assertThat(plan.time()).isEqualTo(Duration.ofMillis(105));
  }

  @Test
  void drivingIsWhatMostRegionsUse() {
    assertThat(explained().driving()).isEqualTo("scan");
    assertThat(explained(scanning("a")).driving()).isEqualTo("scan");
    assertThat(explained(scanning("a"), indexed("b", "price")).driving()).isEqualTo("price");
    assertThat(explained(scanning("a"), scanning("b"), indexed("c", "price")).driving())
        .isEqualTo("scan");
    assertThat(
            explained(indexed("a", "price"), indexed("b", "date"), indexed("c", "price")).driving())
        .isEqualTo("price");
  }

  @Test
  void countsOfWhatDidNotHappenAreZero() {
    QueryPlan plan = explained(indexed("a", "price"));
    assertThat(plan.rows() + plan.recordsRead() + plan.candidates() + plan.rereads()).isZero();
    assertThat(plan.time()).isZero();
    assertThat(plan.table()).isEqualTo("orders");
  }
}
