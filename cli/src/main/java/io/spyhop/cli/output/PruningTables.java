package io.spyhop.cli.output;

import io.spyhop.bench.pruning.PruningReport;
import io.spyhop.bench.pruning.PruningReport.Measured;
import io.spyhop.bench.pruning.PruningReport.Query;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The figures of {@code spyhop bench pruning} as tables of text. Stateless. */
public final class PruningTables {
  private static final int PERCENT = 100;

  private PruningTables() {}

  /** All tables, one after the other. */
  public static List<String> lines(PruningReport report) {
    return TitledTable.lines(all(report));
  }

  static List<TitledTable> all(PruningReport report) {
    return List.of(
        new TitledTable(
            "Figures 9, 10, 13 and 15: regions and memstores read, queries a second",
            queries(report, q -> !q.load().startsWith(PruningReport.PARTITIONS))),
        new TitledTable(
            "Figure 12: Q-55 with regions of five sizes",
            queries(report, q -> q.load().startsWith(PruningReport.PARTITIONS))),
        new TitledTable(
            "Figures 8 and 10: what a query costs (median latency, data blocks read)",
            costs(report)),
        new TitledTable("Figure 14: Q-55 under writes, BATCHED", intervals(report)),
        new TitledTable(
            "Synchronising a table, against reading a row of each region", sync(report)),
        new TitledTable(
            "What statistics of two of three columns cost writes (asked for: under 3%)",
            writeCost(report)),
        new TitledTable("Table 4: bytes of statistics", spaces(report)),
        new TitledTable(
            "Figure 11: statistics against global indexes, one client", indexes(report)));
  }

  private static TextTable queries(PruningReport report, Predicate<Query> which) {
    TextTable table =
        new TextTable(
            "query",
            "load",
            ">regions OPS",
            ">PPS",
            ">oracle",
            ">memstores OPS",
            ">PPS",
            ">OPS queries/s",
            ">PPS queries/s",
            ">ratio",
            ">asked for",
            "equal");
    for (Measured m : report.measured()) {
      Query q = m.query();
      if (which.test(q)) {
        table.add(
            q.name(),
            q.load(),
            decimals(q.opsRegions()),
            decimals(q.ppsRegions()),
            decimals(q.oracleRegions()),
            decimals(q.opsMemstores()),
            decimals(q.ppsMemstores()),
            decimals(q.opsQps()),
            decimals(q.ppsQps()),
            decimals(q.ratio()),
            decimals(q.bar()),
            q.equal() ? "yes" : "NO");
      }
    }
    return table;
  }

  private static TextTable costs(PruningReport report) {
    TextTable table =
        new TextTable(
            "query",
            "load",
            ">OPS ms",
            ">PPS ms",
            ">OPS blocks",
            ">PPS blocks",
            ">sync ms",
            ">sync bytes",
            ">syncs/query",
            ">rows written/s");
    for (Measured m : report.measured()) {
      table.add(
          m.query().name(),
          m.query().load(),
          decimals(m.opsMs()),
          decimals(m.ppsMs()),
          blocks(m.opsBlocks()),
          blocks(m.ppsBlocks()),
          decimals(m.syncMs()),
          decimals(m.syncBytes()),
          decimals(m.syncsPerQuery()),
          decimals(m.written()));
    }
    return table;
  }

  private static TextTable intervals(PruningReport report) {
    TextTable table =
        new TextTable(">interval ms", ">queries/s", ">sync ms", ">sync bytes", ">syncs/s");
    report
        .syncs()
        .forEach(
            i ->
                table.add(
                    i.millis(),
                    decimals(i.qps()),
                    decimals(i.syncMs()),
                    decimals(i.syncBytes()),
                    decimals(i.syncsPerSecond())));
    return table;
  }

  private static TextTable sync(PruningReport report) {
    TextTable table =
        new TextTable(">regions", ">servers", ">calls", ">sync ms", ">multi-get ms", ">ratio");
    PruningReport.Sync s = report.sync();
    table.add(
        s.regions(),
        s.servers(),
        decimals(s.rpcs()),
        decimals(s.medianMs()),
        decimals(s.multigetMs()),
        decimals(s.multigetMs() == 0 ? 0 : s.medianMs() / s.multigetMs()));
    return table;
  }

  private static TextTable writeCost(PruningReport report) {
    TextTable table = new TextTable(">rows", ">without, s", ">with, s", ">more", ">more CPU");
    PruningReport.WriteCost c = report.writeCost();
    table.add(
        c.rows(),
        decimals(c.plainS()),
        decimals(c.recordedS()),
        more(c.ratio()),
        more(c.cpuRatio()));
    return table;
  }

  private static String more(double ratio) {
    return String.format(Locale.ROOT, "%+.1f%%", PERCENT * (ratio - 1));
  }

  private static TextTable spaces(PruningReport report) {
    TextTable table =
        new TextTable("table", ">regions", ">cache", ">formula", ">paper, its partitions");
    report
        .spaces()
        .forEach(s -> table.add(s.table(), s.regions(), s.cached(), s.formula(), s.paper()));
    return table;
  }

  private static TextTable indexes(PruningReport report) {
    TextTable table =
        new TextTable(
            "query",
            ">statistics ms",
            ">bytes",
            ">ms x bytes",
            ">indexes ms",
            ">bytes",
            ">ms x bytes");
    report
        .indexes()
        .forEach(
            i ->
                table.add(
                    i.name(),
                    decimals(i.statisticsMs()),
                    i.statisticsBytes(),
                    decimals(i.statisticsMs() * i.statisticsBytes()),
                    decimals(i.indexMs()),
                    i.indexBytes(),
                    decimals(i.indexMs() * i.indexBytes())));
    return table;
  }

  /** They are counted where nothing is written. */
  private static String blocks(double number) {
    return number == 0 ? "-" : decimals(number);
  }

  private static String decimals(double number) {
    return String.format(Locale.ROOT, "%,.2f", number);
  }
}
