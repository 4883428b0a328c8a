package io.spyhop.bench.mdrq;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/** What measurements have found. Not thread-safe. */
final class Findings {
  private final List<BenchQuery> queries = new ArrayList<>();
  private final List<StateReport> states = new ArrayList<>();
  private final List<PutsReport> puts = new ArrayList<>();
  private final List<Difference> differences = new ArrayList<>();

  void add(BenchQuery query) {
    queries.add(query);
  }

  void add(StateReport state) {
    states.add(state);
  }

  void add(PutsReport report) {
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

  List<BenchQuery> queries() {
    return List.copyOf(queries);
  }

  List<StateReport> states() {
    return List.copyOf(states);
  }

  List<PutsReport> puts() {
    return List.copyOf(puts);
  }

  List<Difference> differences() {
    return List.copyOf(differences);
  }
}
