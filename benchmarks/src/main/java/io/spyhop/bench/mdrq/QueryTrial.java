package io.spyhop.bench.mdrq;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.client.QueryPlan;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.client.Result;

/**
 * Asks each query five ways: by two plain scans, through Spyhop, and, for the floor, by two scans
 * of as many rows.
 *
 * @param questions the queries
 * @param way how Spyhop is asked
 * @param timing how times are taken
 */
record QueryTrial(
    List<MdrqQuery> questions,
    BiFunction<Asker, MdrqQuery, Side> way,
    BiFunction<Scene, MdrqQuery, Timing> timing)
    implements Measurement {
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final int SIDES = 5;

  /** One query after the other. */
  static QueryTrial of(List<MdrqQuery> questions) {
    return timed(questions, (scene, question) -> scene.trial());
  }

  /** The same, with times taken in another way. */
  static QueryTrial timed(List<MdrqQuery> questions, BiFunction<Scene, MdrqQuery, Timing> timing) {
    return new QueryTrial(questions, Asker::spyhop, timing);
  }

  /**
   * An answer that is read from files.
   *
   * @param megabytes that were read for it
   */
  private record Cold(List<Result> answer, double megabytes) {}

  @Override
  public void run(Scene scene, Progress.Factory progress) throws IOException {
    String task = "Asking (" + scene.state() + ")";
    try (Progress shown = progress.start(task, questions.size())) {
      for (MdrqQuery question : questions) {
        scene.findings().addQuery(ask(scene, question));
        shown.step(1);
      }
    }
  }

  private Row ask(Scene scene, MdrqQuery question) throws IOException {
    Asker asker = scene.twins().asker();
    Side predicate = asker.predicateScan(Twins.PLAIN, question);
    Side columnFilters = asker.columnFilterScan(Twins.PLAIN, question);
    Side indexed = way.apply(asker, question);
    Cold plain = cold(scene.servers(), predicate);
    Cold spyhop = cold(scene.servers(), indexed);
    List<Result> rows = plain.answer();
    boolean equal =
        scene
            .findings()
            .areEqual(question.name(), rows, List.of(columnFilters.ask(), spyhop.answer()));
    List<Side> sides =
        List.of(
            predicate,
            columnFilters,
            indexed,
            asker.keyRange(Twins.PLAIN, rows.size()),
            asker.keyRanges(Twins.PLAIN, rows));
    List<Cost> costs =
        equal
            ? timing.apply(scene, question).costs(rows.size(), sides)
            : Collections.nCopies(SIDES, Cost.NONE);
    return report(scene, question, rows.size(), equal, costs, plain, spyhop);
  }

  private static Row report(
      Scene scene,
      MdrqQuery question,
      int rows,
      boolean equal,
      List<Cost> costs,
      Cold plain,
      Cold spyhop)
      throws IOException {
    QueryPlan plan = scene.twins().asker().explain(question);
    boolean predicate = costs.get(0).millis() <= costs.get(1).millis();
    Cost fastest = costs.get(predicate ? 0 : 1);
    double floor = Math.min(costs.get(3).millis(), costs.get(4).millis());
    return scene
        .row(question.name())
        .and("rows", rows)
        .and("plain_ms", Numbers.rounded(fastest.millis()))
        .and("spyhop_ms", Numbers.rounded(costs.get(2).millis()))
        .and("floor_ms", Numbers.rounded(costs.get(3).millis()))
        .and("ratio", Numbers.ratio(fastest.millis(), costs.get(2).millis()))
        .and("driving", plan.driving())
        .and("records_read", plan.recordsRead())
        .and("equal", equal)
        .and("plain_filter", predicate ? "predicate" : "scvf")
        .and("plain_predicate_ms", Numbers.rounded(costs.get(0).millis()))
        .and("plain_scvf_ms", Numbers.rounded(costs.get(1).millis()))
        .and("rereads", plan.rereads())
        .and("floor_regions_ms", Numbers.rounded(costs.get(4).millis()))
        .and("floor_best_ms", Numbers.rounded(floor))
        .and("of_floor", Numbers.ratio(costs.get(2).millis(), floor))
        .and("plain", effort(plain, fastest))
        .and("spyhop", effort(spyhop, costs.get(2)));
  }

  private static Row effort(Cold cold, Cost cost) {
    return Row.of("mb_read", Numbers.rounded(cold.megabytes()))
        .and("cpu_ms", Numbers.rounded(cost.cpuMillis()))
        .and("qps", Numbers.rounded(cost.perSecond()))
        .and("p99_ms", Numbers.rounded(cost.p99Millis()));
  }

  /** With empty block caches. */
  private static Cold cold(Servers servers, Side side) throws IOException {
    servers.dropBlocks();
    long before = servers.bytesRead();
    List<Result> answer = side.ask();
    return new Cold(answer, (servers.bytesRead() - before) / BYTES_PER_MEGABYTE);
  }
}
