package io.spyhop.bench.mdrq;

import io.spyhop.bench.Progress;
import io.spyhop.client.QueryPlan;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Result;

/**
 * Asks each query five ways: by two plain scans, through Spyhop, and, for the floor, by two scans
 * of as many rows.
 *
 * @param questions the queries
 * @param timing how times are taken
 */
record QueryTrial(List<MdrqQuery> questions, Function<Trial, Timing> timing)
    implements Measurement {
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final int SIDES = 5;

  /** One query after the other. */
  static QueryTrial of(List<MdrqQuery> questions) {
    return new QueryTrial(questions, trial -> trial);
  }

  /**
   * An answer that is read from files.
   *
   * @param megabytes that were read for it
   */
  private record Cold(List<Result> answer, double megabytes) {}

  @Override
  public void run(Scene scene, Progress.Factory progress) throws IOException {
    String task = "Asking (" + scene.state().label() + ")";
    try (Progress shown = progress.start(task, questions.size())) {
      for (MdrqQuery question : questions) {
        scene.findings().add(ask(scene, question));
        shown.step(1);
      }
    }
  }

  private BenchQuery ask(Scene scene, MdrqQuery question) throws IOException {
    Asker asker = scene.twins().asker();
    Side predicate = asker.predicateScan(Twins.PLAIN, question);
    Side columnFilters = asker.columnFilterScan(Twins.PLAIN, question);
    Side indexed = asker.spyhop(question);
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
            ? timing.apply(scene.trial()).costs(rows.size(), sides)
            : Collections.nCopies(SIDES, Cost.NONE);
    return report(scene, question, rows.size(), equal, costs, plain, spyhop);
  }

  private static BenchQuery report(
      Scene scene,
      MdrqQuery question,
      int rows,
      boolean equal,
      List<Cost> costs,
      Cold plain,
      Cold spyhop)
      throws IOException {
    QueryPlan plan = scene.twins().table().explainAnalyze(Asker.query(question));
    boolean predicate = costs.get(0).millis() <= costs.get(1).millis();
    Cost fastest = costs.get(predicate ? 0 : 1);
    return new BenchQuery(
        question.name(),
        scene.state().label(),
        rows,
        Figures.rounded(fastest.millis()),
        Figures.rounded(costs.get(2).millis()),
        Figures.rounded(costs.get(3).millis()),
        Figures.ratio(fastest.millis(), costs.get(2).millis()),
        plan.driving(),
        plan.recordsRead(),
        equal,
        predicate ? "predicate" : "scvf",
        Figures.rounded(costs.get(0).millis()),
        Figures.rounded(costs.get(1).millis()),
        plan.rereads(),
        Figures.rounded(costs.get(4).millis()),
        effort(plain, fastest),
        effort(spyhop, costs.get(2)));
  }

  private static BenchQuery.Effort effort(Cold cold, Cost cost) {
    return new BenchQuery.Effort(
        Figures.rounded(cold.megabytes()),
        Figures.rounded(cost.cpuMillis()),
        Figures.rounded(cost.perSecond()),
        Figures.rounded(cost.p99Millis()));
  }

  /** With empty block caches. */
  private static Cold cold(Servers servers, Side side) throws IOException {
    servers.dropBlocks();
    long before = servers.bytesRead();
    List<Result> answer = side.ask();
    return new Cold(answer, (servers.bytesRead() - before) / BYTES_PER_MEGABYTE);
  }
}
