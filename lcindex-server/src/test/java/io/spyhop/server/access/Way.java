package io.spyhop.server.access;

import java.util.Locale;

/** A question or operation; the rows of the table in docs/security.md. */
enum Way {
  QUERY_BY_LOCAL_INDEX(QueryWays::local),
  QUERY_WITH_LIMIT(QueryWays::limited),
  AGGREGATE_BY_LOCAL_INDEX(QueryWays::aggregated),
  QUERY_BY_STATISTICS(QueryWays::pruned),
  QUERY_BY_GLOBAL_INDEX(QueryWays::global),
  FILTER_OF_AN_EXISTING_PROGRAM(QueryWays::existing),
  SCAN_METRICS(QueryWays::scanMetrics),
  VERSIONS_OF_A_ROW(QueryWays::readKey),
  ROWS_OF_A_VALUE(QueryWays::readValue),
  ROWS_OF_A_VALUE_AS_OF_A_TIME(QueryWays::asOf),
  EXPLAIN(QuestionWays::explain),
  REPORT_OF_A_QUERY(QuestionWays::report),
  STATUS(QuestionWays::status),
  REFRESH(QuestionWays::refresh),
  DEFINITIONS(QuestionWays::definitions),
  STATISTICS(QuestionWays::summary),
  DIGEST_OF_A_SERVER(QuestionWays::digest),
  PAGE_OF_ENTRIES(QuestionWays::entries),
  WHAT_IS_BUILT(QuestionWays::built),
  VERIFY_FOR_MISSING_ENTRIES(QuestionWays::missing),
  VERIFY_FOR_DANGLING_ENTRIES(QuestionWays::dangle),
  VERIFY_WITH_REPAIR(QuestionWays::repair),
  HINT_OF_A_DANGLING_ENTRY(QuestionWays::hint),
  TICKET(QuestionWays::ticket),
  ENTRIES_FROM_A_CLIENT(QuestionWays::enter),
  ENTRIES_FROM_A_SERVER(QuestionWays::serverWrites),
  GET_FROM_AN_INDEX_TABLE(AdminWays::get),
  SCAN_OF_AN_INDEX_TABLE(AdminWays::scan),
  PUT_INTO_AN_INDEX_TABLE(AdminWays::put),
  JOBS(QuestionWays::jobs),
  REPAIRS(QuestionWays::repairs),
  HEALTH(QuestionWays::health),
  SLOW_QUERIES(ToldWays::slowQueries),
  METRICS(ToldWays::metrics),
  SLOW_LOG(ToldWays::slowLog),
  ERROR_MESSAGES(ToldWays::errors),
  LIST_ORPHANS(AdminWays::orphans),
  PUT_WITH_A_FORGED_TICKET(QuestionWays::forged, true),
  REBALANCE(AdminWays::rebalance, true),
  CREATE_A_LOCAL_INDEX(AdminWays::createLocal, true),
  REBUILD_A_LOCAL_INDEX(AdminWays::rebuildLocal, true),
  DROP_A_LOCAL_INDEX(AdminWays::dropLocal, true),
  CREATE_A_GLOBAL_INDEX(AdminWays::createGlobal, true),
  REBUILD_A_GLOBAL_INDEX(AdminWays::rebuildGlobal, true),
  DROP_A_GLOBAL_INDEX(AdminWays::dropGlobal, true);

  private final Going going;
  private final boolean changes;

  Way(Going going) {
    this(going, false);
  }

  Way(Going going, boolean changes) {
    this.going = going;
    this.changes = changes;
  }

  /** A way that is gone along. */
  @FunctionalInterface
  private interface Going {
    Observation go(Caller caller) throws Exception;
  }

  /** Whether it changes what there is, so that others would see it. */
  boolean changes() {
    return changes;
  }

  /** As the table has it. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Goes it. */
  Observation go(Caller caller) throws Exception {
    return going.go(caller);
  }
}
