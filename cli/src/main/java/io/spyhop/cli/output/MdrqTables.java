package io.spyhop.cli.output;

import io.spyhop.bench.mdrq.BenchQuery;
import io.spyhop.bench.mdrq.BenchReport;
import io.spyhop.bench.mdrq.PutsReport;
import io.spyhop.bench.mdrq.State;
import io.spyhop.bench.mdrq.StateReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What was measured in each state, as text. Stateless. */
public final class MdrqTables {
  private MdrqTables() {}

  /** How much faster Spyhop is in one state. */
  public static String line(State state, BenchReport report) {
    return report.queries().stream()
        .filter(q -> q.state().equals(state.label()))
        .map(q -> q.name() + " " + Texts.ratio(q.ratio()))
        .collect(Collectors.joining(", ", state.label() + ": ", ""));
  }

  /** All tables that have rows, one after the other. */
  public static List<String> lines(BenchReport report) {
    return TitledTable.lines(all(report));
  }

  static List<TitledTable> all(BenchReport report) {
    List<TitledTable> tables = new ArrayList<>();
    tables.add(new TitledTable("States", states(report.states())));
    if (!report.queries().isEmpty()) {
      tables.add(new TitledTable("Times, medians in milliseconds", times(report.queries())));
      tables.add(
          new TitledTable(
              "Effort of the faster plain scan and of Spyhop", efforts(report.queries())));
    }
    if (!report.puts().isEmpty()) {
      tables.add(new TitledTable("Puts, in milliseconds", puts(report.puts())));
    }
    return tables;
  }

  private static TextTable states(List<StateReport> states) {
    TextTable table =
        new TextTable(
            "state",
            ">regions",
            ">HFiles each",
            ">memstore MB",
            ">plain rows/s",
            ">until indexed",
            ">ratio");
    for (StateReport s : states) {
      table.add(
          s.state(),
          s.regions(),
          s.hfiles(),
          Texts.millis(s.memstoreMb()),
          Texts.count(Math.round(s.insert().plainFlushedRowsPerS())),
          Texts.count(Math.round(s.insert().spyhopIndexedRowsPerS())),
          Texts.ratio(s.insert().indexedRatio()));
    }
    return table;
  }

  private static TextTable times(List<BenchQuery> queries) {
    TextTable table =
        new TextTable(
            "query",
            "state",
            ">rows",
            "driving index",
            ">records read",
            ">reread",
            ">predicate ms",
            ">scvf ms",
            ">Spyhop ms",
            ">floor ms",
            ">by region",
            ">ratio",
            "equal");
    for (BenchQuery q : queries) {
      table.add(
          q.name(),
          q.state(),
          Texts.count(q.rows()),
          q.driving(),
          Texts.count(q.recordsRead()),
          Texts.count(q.rereads()),
          Texts.millis(q.plainPredicateMs()),
          Texts.millis(q.plainScvfMs()),
          Texts.millis(q.spyhopMs()),
          Texts.millis(q.floorMs()),
          Texts.millis(q.floorRegionsMs()),
          Texts.ratio(q.ratio()),
          Texts.answer(q.equal()));
    }
    return table;
  }

  private static TextTable efforts(List<BenchQuery> queries) {
    TextTable table =
        new TextTable(
            "query",
            "state",
            ">MB plain",
            ">Spyhop",
            ">CPU ms plain",
            ">Spyhop",
            ">q/s plain",
            ">Spyhop",
            ">p99 ms plain",
            ">Spyhop");
    for (BenchQuery q : queries) {
      table.add(
          q.name(),
          q.state(),
          Texts.millis(q.plain().mbRead()),
          Texts.millis(q.spyhop().mbRead()),
          Texts.millis(q.plain().cpuMs()),
          Texts.millis(q.spyhop().cpuMs()),
          Texts.millis(q.plain().qps()),
          Texts.millis(q.spyhop().qps()),
          Texts.millis(q.plain().p99Ms()),
          Texts.millis(q.spyhop().p99Ms()));
    }
    return table;
  }

  private static TextTable puts(List<PutsReport> reports) {
    TextTable table =
        new TextTable(
            "query beside",
            "table",
            ">longest alone",
            ">beside",
            ">p99 alone",
            ">beside",
            ">queries");
    for (PutsReport r : reports) {
      add(r.name(), "plain", r.plain(), table);
      add(r.name(), "Spyhop", r.spyhop(), table);
    }
    return table;
  }

  private static void add(String name, String side, PutsReport.Puts puts, TextTable table) {
    table.add(
        name,
        side,
        Texts.millis(puts.aloneLongestMs()),
        Texts.millis(puts.besideLongestMs()),
        Texts.millis(puts.aloneP99Ms()),
        Texts.millis(puts.besideP99Ms()),
        Texts.count(puts.queries()));
  }
}
