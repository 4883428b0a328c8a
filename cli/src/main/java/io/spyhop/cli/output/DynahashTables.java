package io.spyhop.cli.output;

import io.spyhop.bench.dynahash.DynahashReport;
import java.util.ArrayList;
import java.util.List;

/** The figures of {@code spyhop bench dynahash} as tables of text. Stateless. */
public final class DynahashTables {
  private DynahashTables() {}

  /** All tables, one after the other. */
  public static List<String> lines(DynahashReport report) {
    return TitledTable.lines(all(report));
  }

  static List<TitledTable> all(DynahashReport report) {
    List<TitledTable> tables = new ArrayList<>();
    tables.add(
        new TitledTable(
            "A server goes, and one comes (paper, Figure 7 a and b)", rebalances(report)));
    tables.add(
        new TitledTable(
            "A bucketed table against a plain one (Figures 6, 8 and 9; medians, ms)",
            overhead(report)));
    tables.add(
        new TitledTable(
            "A server goes while rows are written and asked for, "
                + report.settings().pause_seconds()
                + " s between buckets (Figure 7 c)",
            underLoad(report)));
    tables.add(
        new TitledTable(
            "A table of one region is split beside a writer and a reader (medians, ms)",
            splits(report)));
    return tables;
  }

  private static TextTable rebalances(DynahashReport report) {
    TextTable table =
        new TextTable(
            "scheme",
            "change",
            ">seconds",
            ">moved",
            ">at least",
            ">moved / least",
            ">max / mean",
            ">missing index files",
            ">buckets moved",
            ">writes held up, ms",
            "equal");
    for (DynahashReport.Rebalance r : report.rebalance()) {
      table.add(
          r.scheme(),
          r.change(),
          Texts.ratio(r.seconds()),
          Texts.megabytes(r.bytes_moved()),
          Texts.megabytes(r.least_bytes()),
          r.least_bytes() == 0 ? "-" : Texts.ratio((double) r.bytes_moved() / r.least_bytes()),
          Texts.ratio(r.balance()),
          r.missing_index_files(),
          r.buckets_moved(),
          r.blocked_ms(),
          Texts.answer(r.equal()));
    }
    return table;
  }

  private static TextTable overhead(DynahashReport report) {
    TextTable table = new TextTable("work", ">plain", ">bucketed", ">bucketed / plain", "equal");
    for (DynahashReport.Overhead o : report.overhead()) {
      table.add(
          o.work(),
          Texts.millis(o.plain()),
          Texts.millis(o.bucketed()),
          Texts.ratio(o.ratio()),
          Texts.answer(o.equal()));
    }
    return table;
  }

  private static TextTable splits(DynahashReport report) {
    TextTable table =
        new TextTable("table", ">longest put", ">longest get", ">longest put of all", "equal");
    for (DynahashReport.Split s : report.split()) {
      table.add(
          s.table(),
          Texts.millis(s.write_ms()),
          Texts.millis(s.read_ms()),
          Texts.millis(s.longest_write_ms()),
          Texts.answer(s.equal()));
    }
    return table;
  }

  private static TextTable underLoad(DynahashReport report) {
    TextTable table =
        new TextTable(
            ">share of writes",
            ">seconds",
            ">query p99 before, ms",
            ">during, ms",
            ">after, ms",
            ">during / before",
            ">rows/s",
            ">queries",
            "equal");
    for (DynahashReport.UnderLoad u : report.under_load()) {
      table.add(
          Texts.ratio(u.write_share()),
          Texts.ratio(u.seconds()),
          Texts.millis(u.query_p99_before_ms()),
          Texts.millis(u.query_p99_during_ms()),
          Texts.millis(u.query_p99_after_ms()),
          Texts.ratio(u.query_p99_during_ms() / u.query_p99_before_ms()),
          Texts.count(Math.round(u.rows_per_s())),
          u.queries(),
          Texts.answer(u.equal()));
    }
    return table;
  }
}
