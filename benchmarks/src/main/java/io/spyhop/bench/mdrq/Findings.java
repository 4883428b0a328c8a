package io.spyhop.bench.mdrq;

import io.spyhop.bench.Row;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/** Collects the figures of measurements. Not thread-safe. */
final class Findings {
  private final List<Row> queries = new ArrayList<>();
  private final List<Row> states = new ArrayList<>();
  private final List<Row> aggregates = new ArrayList<>();
  private final List<Row> puts = new ArrayList<>();
  private final List<Difference> differences = new ArrayList<>();

  void addQuery(Row query) {
    queries.add(query);
  }

  void addAggregate(Row aggregate) {
    aggregates.add(aggregate);
    if (!aggregate.at("equal").equals(true)) {
      differences.add(new Difference(aggregate.text("name"), "it is another aggregate"));
    }
  }

  void addState(Row state) {
    states.add(state);
  }

  void addPuts(Row report) {
    puts.add(report);
  }

  /**
   * Compares answers to a question, and keeps the first difference.
   *
   * @return whether there is none
   */
  boolean areEqual(String name, List<Result> expected, List<List<Result>> others) {
    List<Difference> found =
        others.stream()
            .flatMap(answer -> Answers.difference(expected, answer).stream())
            .map(d -> new Difference(name, d))
            .limit(1)
            .toList();
    differences.addAll(found);
    return found.isEmpty();
  }

  List<Row> queries() {
    return List.copyOf(queries);
  }

  List<Row> aggregates() {
    return List.copyOf(aggregates);
  }

  List<Row> states() {
    return List.copyOf(states);
  }

  List<Row> puts() {
    return List.copyOf(puts);
  }

  List<Difference> differences() {
    return List.copyOf(differences);
  }
}
