package io.spyhop.server.query.report;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.SlowQuery;
import io.spyhop.server.access.Audience;
import io.spyhop.server.testing.IndexedTableFixture;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Slow queries are described, without values where these are secret, and the last are kept. */
class SlowQueriesTest {
  private static final Predicate CHEAP = column("price").lt(10.0);

  private static IndexedTableFixture table;

  @BeforeAll
  static void create() throws IOException {
    table = new IndexedTableFixture();
  }

  @AfterAll
  static void drop() throws IOException {
    table.close();
  }

  private static RegionPlan plan(long millis) {
    return new RegionPlan(
            "region",
            "server",
            RegionPlan.Path.SCAN,
            "why",
            "",
            List.of(),
            0,
            0,
            0,
            0,
            Optional.empty())
        .with(new RegionPlan.Actual(1, 2, 3, 4, 5, millis * 1_000_000, "memory"));
  }

  private static SlowQueries slow(long millis, boolean values) {
    return new SlowQueries(millis, values, new SlowQueryLog(2));
  }

  private static Optional<String> slow(SlowQueries log, Predicate predicate, long millis) {
    return log.describe("table", table.bind(predicate), plan(millis));
  }

  @Test
  void slowQueriesAreDescribed() {
    SlowQueries log = slow(100, true);
    assertThat(slow(log, CHEAP, 99)).isEmpty();
    assertThat(slow(log, CHEAP, 100).orElseThrow())
        .contains("100 ms", "region", "table", "SCAN", "why", "fell back: memory")
        .contains("records 1", "cells 2", "candidates 3", "re-reads 4", "rows 5")
        .contains("f:price < 10");
    assertThat(slow(slow(0, true), CHEAP, 1_000_000)).isEmpty();
    assertThat(slow(slow(-1, true), CHEAP, 1_000_000)).isEmpty();
  }

  @Test
  void slowQueriesHideValuesWhereTheyMust() {
    Predicate all =
        CHEAP
            .and(column("name").in("secret", "hidden"))
            .or(column("name").startsWith("pre"))
            .or(column("amount").between(41, 42).not());
    assertThat(slow(slow(1, false), all, 5).orElseThrow())
        .contains("f:price < ?", "f:name IN (?, ?)", "f:name LIKE ?", "f:amount >= ?")
        .doesNotContain("secret", "hidden", "pre'", "41", "42", "10");
  }

  @Test
  void slowQueriesAreCutShort() {
    Predicate longOne = column("name").eq("x".repeat(100_000));
    assertThat(slow(slow(1, true), longOne, 5).orElseThrow()).hasSizeLessThan(2000).endsWith("...");
  }

  @Test
  void theLastSlowQueriesAreKept() throws IOException {
    SlowQueries log = slow(1, true);
    for (double price : new double[] {10, 20, 30}) {
      log.look(table.region(), table.bind(column("price").lt(price)), plan(5));
    }
    log.look(table.region(), table.bind(column("price").lt(40.0)), plan(0));
    log.withoutValues().look(table.region(), table.bind(CHEAP), plan(7));
    List<SlowQuery> kept = log.kept().told(audience -> audience == Audience.ANYBODY);
    assertThat(kept)
        .extracting(SlowQuery::predicate)
        .containsExactly("f:price < 30", "f:price < ?");
    assertThat(kept).extracting(SlowQuery::plan).containsExactly(plan(5), plan(7));
    assertThat(SlowQuery.decode(SlowQuery.encode(kept))).isEqualTo(kept);
    assertThat(log.kept().told(audience -> audience != Audience.ANYBODY)).isEmpty();
  }
}
