package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import io.spyhop.bench.order.OrderBench;
import java.util.List;

/** Shows the figures of {@code spyhop bench order}. Stateless. */
public final class OrderLayout extends Layout {
  /** Creates it. */
  public OrderLayout() {
    super("bench order", "Rows in the order of an index", "regions", "top10");
  }

  @Override
  List<TitledTable> tables(Row report) {
    return List.of(top(report.row("top10")));
  }

  /** The first rows in the order of an index, against reading all. */
  static TitledTable top(Row top) {
    return TitledTable.of(
        "The ten orders of the highest price",
        List.of(top),
        Column.of("one scan ms", "plain_scan_ms", Texts::millis),
        Column.of("scans by region ms", "plain_regions_ms", Texts::millis),
        Column.of("Spyhop ms", "spyhop_ms", Texts::millis),
        Column.of("ratio", "ratio", Texts::millis),
        new Column(">asked for", row -> OrderBench.ASKED_FOR),
        Column.of("blocks", "blocks", Texts::millis),
        Column.equal());
  }

  @Override
  List<Plot> plots(Row report) {
    return List.of();
  }

  @Override
  Object settings(Row report) {
    return Row.of("rows", report.at("rows")).and("regions", report.at("regions"));
  }
}
