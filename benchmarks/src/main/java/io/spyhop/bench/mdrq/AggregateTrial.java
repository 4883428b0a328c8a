package io.spyhop.bench.mdrq;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.client.Aggregate;
import io.spyhop.client.AggregateResult;
import io.spyhop.client.Aggregation;
import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.aggregate.Groups;
import io.spyhop.core.aggregate.Measure;
import io.spyhop.core.aggregate.RowFeed;
import io.spyhop.core.aggregate.Total;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/**
 * Asks for aggregates of one query's rows two ways: the client counts and adds up the rows of a
 * plain scan of the columns that it needs, and through Spyhop.
 *
 * @param question whose rows
 */
record AggregateTrial(MdrqQuery question) implements Measurement {
  private static final BoundColumn PRICE = column("totalprice", ValueType.DOUBLE);
  private static final BoundColumn PRIORITY = column("orderpriority", ValueType.STRING);
  private static final Measure SUM = new Measure(Measure.Kind.SUM, 0);

  private static final List<Line> LINES =
      List.of(
          new Line("count", Aggregation.of(Aggregate.count()), List.of(), List.of()),
          new Line(
              "sum by priority",
              Aggregation.of(Aggregate.count(), Aggregate.sum("totalprice"))
                  .groupBy("orderpriority"),
              List.of(1),
              List.of(SUM)));

  /**
   * One aggregate, as Spyhop is asked and as rows are counted.
   *
   * @param name in reports
   */
  private record Line(
      String name, Aggregation aggregation, List<Integer> groupBy, List<Measure> measures) {
    AggregateRequest request() {
      return new AggregateRequest(List.of(PRICE, PRIORITY), List.of(true, true), groupBy, measures);
    }
  }

  private static BoundColumn column(String name, ValueType type) {
    return new BoundColumn(ColumnName.parse("d:" + name), type);
  }

  @Override
  public void run(Scene scene, Progress.Factory progress) throws IOException {
    String task = "Aggregating (" + scene.state() + ")";
    try (Progress shown = progress.start(task, LINES.size())) {
      for (Line line : LINES) {
        scene.findings().addAggregate(ask(scene, line));
        shown.step(1);
      }
    }
  }

  private Row ask(Scene scene, Line line) throws IOException {
    Asker asker = scene.twins().asker();
    Side rows = asker.columnsScan(Twins.PLAIN, question, List.of(PRICE, PRIORITY));
    String plain = plain(line, rows.ask());
    boolean equal = plain.equals(spyhop(asker.aggregate(question, line.aggregation())));
    List<Side> sides =
        List.of(
            () -> {
              plain(line, rows.ask());
              return List.of();
            },
            () -> {
              spyhop(asker.aggregate(question, line.aggregation()));
              return List.of();
            });
    List<Cost> costs = scene.trial().costs(0, sides);
    double plainMillis = costs.get(0).millis();
    double spyhopMillis = costs.get(1).millis();
    return scene
        .row(question.name() + " " + line.name())
        .and("plain_ms", Numbers.rounded(plainMillis))
        .and("spyhop_ms", Numbers.rounded(spyhopMillis))
        .and("ratio", Numbers.ratio(plainMillis, spyhopMillis))
        .and("equal", equal);
  }

  private static String plain(Line line, List<Result> rows) {
    RowFeed feed = new RowFeed(line.request());
    for (Result row : rows) {
      feed.offer(Arrays.asList(row.rawCells()));
      feed.endRow();
    }
    StringBuilder text = new StringBuilder();
    for (Groups.Group group : feed.groups().sorted()) {
      text.append(group.key()).append(group.rows());
      group.results().forEach(r -> text.append(' ').append(((Total) r).sum()));
      text.append('\n');
    }
    return text.toString();
  }

  private static String spyhop(AggregateResult answer) {
    StringBuilder text = new StringBuilder();
    for (AggregateResult.Group group : answer.groups()) {
      text.append(group.key());
      text.append(String.join(" ", group.values().stream().map(String::valueOf).toList()));
      text.append('\n');
    }
    return text.toString();
  }
}
