package io.spyhop.cli.output;

import io.spyhop.bench.deli.DeliReport;
import io.spyhop.bench.deli.DeliReport.PerMode;
import io.spyhop.bench.deli.DeliReport.Rates;
import java.util.List;
import java.util.Locale;

/** The figures of {@code spyhop bench deli} as tables of text. Stateless. */
public final class DeliTables {
  private DeliTables() {}

  /** All tables, one after the other. */
  public static List<String> lines(DeliReport report) {
    return TitledTable.lines(all(report));
  }

  static List<TitledTable> all(DeliReport report) {
    return List.of(
        new TitledTable(
            "Figure 7: writing, puts a second and latency of a call in ms", write(report)),
        new TitledTable("Figure 8: reads by value and single puts, mixed", mixed(report)),
        new TitledTable("Figure 9: major compaction, medians", compaction(report)),
        new TitledTable("Table II: writing (online) and compaction (offline)", overhead(report)));
  }

  private static TextTable write(DeliReport r) {
    TextTable table =
        new TextTable("", ">none", ">deferred", ">sync", ">deferred/sync", ">deferred/none");
    rates(table, "batches of 100, ops/s", r.write());
    rates(table, "until no delete pends, ops/s", r.writeDrained());
    millis(table, "batch p50", r.p50Ms());
    millis(table, "batch p99", r.p99Ms());
    rates(table, "single puts, ops/s", r.singles().write());
    millis(table, "single put p50", r.singles().p50Ms());
    millis(table, "single put p99", r.singles().p99Ms());
    return table;
  }

  private static void rates(TextTable table, String what, Rates r) {
    table.add(
        what,
        count(r.noneOps()),
        count(r.deferredOps()),
        count(r.syncOps()),
        ratio(r.deferredOps(), r.syncOps()),
        ratio(r.deferredOps(), r.noneOps()));
  }

  private static void millis(TextTable table, String what, PerMode m) {
    table.add(
        what,
        decimals(m.none()),
        decimals(m.deferred()),
        decimals(m.sync()),
        ratio(m.deferred(), m.sync()),
        ratio(m.deferred(), m.none()));
  }

  private static TextTable mixed(DeliReport report) {
    TextTable table =
        new TextTable(
            ">reads",
            ">deferred ops/s",
            ">sync ops/s",
            ">ratio",
            ">deferred read p50/p99 ms",
            ">sync read p50/p99 ms",
            ">deferred put p50/p99 ms",
            ">sync put p50/p99 ms");
    for (DeliReport.Mixed m : report.mixed()) {
      table.add(
          m.readRatio(),
          count(m.deferredOps()),
          count(m.syncOps()),
          decimals(m.ratio()),
          pair(m.deferredMs().readP50(), m.deferredMs().readP99()),
          pair(m.syncMs().readP50(), m.syncMs().readP99()),
          pair(m.deferredMs().writeP50(), m.deferredMs().writeP99()),
          pair(m.syncMs().writeP50(), m.syncMs().writeP99()));
    }
    return table;
  }

  private static TextTable compaction(DeliReport report) {
    TextTable table =
        new TextTable("data", "repair", ">seconds", ">to none", ">blocks read", ">repetitions");
    for (DeliReport.Compaction c : report.compaction()) {
      table.add(
          c.dataset(),
          c.mode(),
          decimals(c.seconds()),
          decimals(c.ratio()),
          count(c.blockReads()),
          c.allSeconds());
    }
    return table;
  }

  private static TextTable overhead(DeliReport report) {
    TextTable table =
        new TextTable(
            "index",
            ">online s",
            ">offline s",
            ">total s",
            ">online blocks",
            ">offline blocks",
            ">total blocks");
    for (DeliReport.Overhead o : report.overhead()) {
      table.add(
          o.mode(),
          decimals(o.onlineS()),
          decimals(o.offlineS()),
          decimals(o.totalS()),
          count(o.onlineBlockReads()),
          count(o.offlineBlockReads()),
          count(o.totalBlockReads()));
    }
    return table;
  }

  private static String pair(double median, double p99) {
    return p99 == 0 ? "-" : decimals(median) + " / " + decimals(p99);
  }

  private static String ratio(double value, double base) {
    return base == 0 ? "-" : decimals(value / base);
  }

  private static String count(double number) {
    return count(Math.round(number));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String decimals(double number) {
    return String.format(Locale.ROOT, "%,.2f", number);
  }
}
