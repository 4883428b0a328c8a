package io.spyhop.cli.output;

import io.spyhop.bench.order.OrderReport;
import io.spyhop.bench.remix.RemixReport;
import io.spyhop.bench.remix.RemixReport.Micro;
import java.util.ArrayList;
import java.util.List;

/** Reports as runs give them, with made-up numbers. */
public final class RemixSample {
  private static final OrderReport.Top TOP =
      new OrderReport.Top(11_142, 31.2, 357.1, 52, true, 27_400, 11_142);

  private RemixSample() {}

  /** Of {@code bench order}. */
  public static OrderReport order() {
    return new OrderReport(1_500_000, 4, TOP);
  }

  /** Of {@code bench remix}. */
  public static RemixReport report() {
    List<Micro> micro = new ArrayList<>();
    for (int runs : new int[] {8, 16}) {
      for (String op : List.of("seek", "seek50")) {
        micro.add(micro(runs, RemixReport.VIEW, op, 20));
        micro.add(micro(runs, RemixReport.HEAP, op, 50));
        micro.add(micro(runs, RemixReport.COMPACTED, op, 16));
      }
    }
    return new RemixReport(
        new RemixReport.Settings(200_000, 5_000),
        micro,
        List.of(new RemixReport.View(8, 2.39, 4.8e6, 2.7e6, true)),
        List.of(new RemixReport.Upkeep("flush", 19.5, 17.8, true)),
        List.of(new RemixReport.Compaction("defaults", 50_000_000, 202_600_000, 20, true)),
        List.of(new RemixReport.Load("scans", "views", 2_076, 1.5, 9, false)),
        TOP);
  }

  private static Micro micro(int runs, String side, String op, double us) {
    return new Micro(runs, "ROW_INDEX_V1", side, op, RemixReport.PROCESS, us, true);
  }
}
