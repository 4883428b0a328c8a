package io.spyhop.cli.output;

import io.spyhop.bench.order.OrderReport;
import io.spyhop.bench.remix.RemixReport;
import io.spyhop.bench.remix.RemixReport.Micro;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of {@code spyhop bench remix} as tables of text. Stateless. */
public final class RemixTables {
  private static final int MILLION = 1_000_000;

  private RemixTables() {}

  /** All tables, one after the other. */
  public static List<String> lines(RemixReport report) {
    return TitledTable.lines(all(report));
  }

  static List<TitledTable> all(RemixReport report) {
    List<TitledTable> tables = new ArrayList<>();
    tables.add(
        new TitledTable(
            "Seeks, alone and with fifty rows: through a view, HBase's heap, one compacted file"
                + " (medians, microseconds)",
            micro(report)));
    tables.add(new TitledTable("What views take, and how fast they are made", views(report)));
    tables.add(new TitledTable("Flushes and compactions of twins (medians, ms)", upkeep(report)));
    tables.add(new TitledTable("Compacting less", compactions(report)));
    tables.add(new TitledTable("Scans and writes side by side", loads(report)));
    if (report.top10() != null) {
      tables.add(top(report.top10()));
    }
    return tables;
  }

  /** The first rows in the order of an index, against reading all. */
  static TitledTable top(OrderReport.Top top) {
    TextTable table =
        new TextTable(
            ">one scan ms",
            ">scans by region ms",
            ">Spyhop ms",
            ">ratio",
            ">asked for",
            ">blocks",
            "equal");
    table.add(
        Texts.millis(top.plainScanMs()),
        Texts.millis(top.plainRegionsMs()),
        Texts.millis(top.spyhopMs()),
        Texts.millis(top.ratio()),
        OrderReport.ASKED_FOR,
        Texts.millis(top.blocks()),
        Texts.answer(top.equal()));
    return new TitledTable("The ten orders of the highest price", table);
  }

  /** What was measured of one kind of call, by its sides. */
  private record Kind(int runs, String encoding, String op, String via) {}

  private static Map<Kind, Map<String, Micro>> kinds(RemixReport report) {
    Map<Kind, Map<String, Micro>> kinds = new LinkedHashMap<>();
    for (Micro m : report.micro()) {
      kinds
          .computeIfAbsent(
              new Kind(m.runs(), m.encoding(), m.op(), m.via()), k -> new LinkedHashMap<>())
          .put(m.side(), m);
    }
    return kinds;
  }

  private static TextTable micro(RemixReport report) {
    TextTable table =
        new TextTable(
            ">HFiles",
            "encoding",
            "read",
            "by",
            ">view",
            ">heap",
            ">one file",
            ">heap / view",
            ">view / one file",
            "equal");
    kinds(report)
        .forEach(
            (kind, sides) -> {
              double view = us(sides, RemixReport.VIEW);
              double heap = us(sides, RemixReport.HEAP);
              double one = us(sides, RemixReport.COMPACTED);
              table.add(
                  kind.runs(),
                  kind.encoding(),
                  kind.op(),
                  kind.via(),
                  shown(view),
                  shown(heap),
                  shown(one),
                  ratio(heap, view),
                  ratio(view, one),
                  Texts.answer(sides.values().stream().allMatch(Micro::equal)));
            });
    return table;
  }

  /** Not a number if a side was not measured: there is no view of one HFile. */
  private static double us(Map<String, Micro> sides, String side) {
    Micro measured = sides.get(side);
    return measured == null ? Double.NaN : measured.us();
  }

  private static String shown(double us) {
    return Double.isNaN(us) ? "-" : Texts.millis(us);
  }

  private static String ratio(double a, double b) {
    return Double.isNaN(a) || Double.isNaN(b) ? "-" : Texts.ratio(a / b);
  }

  private static TextTable views(RemixReport report) {
    TextTable table =
        new TextTable(
            ">HFiles", ">bytes a key", ">merged, M keys/s", ">extended, M keys/s", "equal");
    for (RemixReport.View v : report.view()) {
      table.add(
          v.runs(),
          Texts.ratio(v.bytes_per_key()),
          Texts.ratio(v.build_keys_per_s() / MILLION),
          Texts.ratio(v.extend_keys_per_s() / MILLION),
          Texts.answer(v.equal()));
    }
    return table;
  }

  private static TextTable upkeep(RemixReport report) {
    TextTable table = new TextTable("what", ">without views", ">with views", ">ratio", "equal");
    for (RemixReport.Upkeep u : report.upkeep()) {
      table.add(
          u.op(),
          Texts.millis(u.without_ms()),
          Texts.millis(u.with_ms()),
          ratio(u.with_ms(), u.without_ms()),
          Texts.answer(u.equal()));
    }
    return table;
  }

  private static TextTable compactions(RemixReport report) {
    TextTable table =
        new TextTable("setting", ">put", ">written", ">written / put", ">seek, us", "equal");
    for (RemixReport.Compaction c : report.compaction()) {
      table.add(
          c.setting(),
          Texts.megabytes(c.bytes_put()),
          Texts.megabytes(c.bytes_written()),
          ratio((double) c.bytes_written(), (double) c.bytes_put()),
          Texts.millis(c.scan_us()),
          Texts.answer(c.equal()));
    }
    return table;
  }

  private static TextTable loads(RemixReport report) {
    TextTable table =
        new TextTable("load", "setting", ">operations/s", ">written / put", ">HFiles", "equal");
    for (RemixReport.Load l : report.load()) {
      table.add(
          l.load(),
          l.setting(),
          Texts.count(Math.round(l.ops_per_s())),
          Texts.ratio(l.write_amplification()),
          l.hfiles(),
          Texts.answer(l.equal()));
    }
    return table;
  }
}
