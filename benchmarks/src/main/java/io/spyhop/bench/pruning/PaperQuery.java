package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The queries of the paper's Table 3 as their filtered scans of dimension tables, with the
 * predicates of its Table 2. {@code store_sales}, which has no predicate, is not among them.
 */
enum PaperQuery {
  /** Conditions 1, 2 and 3. */
  Q42("Q-42", List.of(PaperQuery::monthOfYear, r -> firstManager())),
  /** Conditions 1, 2 and 3. */
  Q52("Q-52", List.of(PaperQuery::monthOfYear, r -> firstManager())),
  /** Conditions 1, 2 and 4. */
  Q55("Q-55", List.of(PaperQuery::monthOfYear, PaperQuery::anyManager)),
  /** Conditions 5, 6 with 7, and 8. */
  Q96("Q-96", List.of(PaperQuery::dependents, PaperQuery::halfHour, PaperQuery::storeName));

  /**
   * Scans whose rows are in all regions: condition 3 alone, and all sales that have a date, as
   * close to no predicate as a predicate can be.
   */
  static final List<TableScan> UNPRUNABLE =
      List.of(
          firstManager(), TableScan.of(TpcdsTable.STORE_SALES, Term.atLeast("ss_sold_date_sk", 0)));

  private static final int[] HOURS = {20, 15, 16, 8};

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // the list and what is in it never change
  private final List<Draw> draws;

  /** Draws a predicate's parameters. */
  @FunctionalInterface
  interface Draw {
    TableScan from(SplittableRandom random);
  }

  PaperQuery(String title, List<Draw> draws) {
    this.title = title;
    this.draws = draws;
  }

  /** The name in the paper. */
  String title() {
    return title;
  }

  /** The query that many times, with parameters that are drawn the same every time. */
  List<List<TableScan>> instances(int count) {
    SplittableRandom random = new SplittableRandom(ordinal());
    List<List<TableScan>> instances = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      instances.add(draws.stream().map(d -> d.from(random)).toList());
    }
    return instances;
  }

  private static TableScan monthOfYear(SplittableRandom random) {
    return TableScan.of(
        TpcdsTable.DATE_DIM,
        Term.equal("d_moy", random.nextInt(11, 13)),
        Term.equal("d_year", random.nextInt(1998, 2003)));
  }

  /** A condition without parameters. */
  static TableScan firstManager() {
    return TableScan.of(TpcdsTable.ITEM, Term.equal("i_manager_id", 1));
  }

  private static TableScan anyManager(SplittableRandom random) {
    return TableScan.of(TpcdsTable.ITEM, Term.equal("i_manager_id", random.nextInt(1, 101)));
  }

  private static TableScan dependents(SplittableRandom random) {
    return TableScan.of(
        TpcdsTable.HOUSEHOLD_DEMOGRAPHICS, Term.equal("hd_dep_count", random.nextInt(10)));
  }

  private static TableScan halfHour(SplittableRandom random) {
    return TableScan.of(
        TpcdsTable.TIME_DIM,
        Term.equal("t_hour", HOURS[random.nextInt(HOURS.length)]),
        Term.atLeast("t_minute", 30));
  }

  private static TableScan storeName(SplittableRandom random) {
    return TableScan.of(TpcdsTable.STORE, Term.equal("s_store_name", "ese"));
  }
}
