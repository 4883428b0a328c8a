package io.spyhop.cli.output;

import io.spyhop.bench.deli.DeliReport;
import io.spyhop.bench.deli.DeliReport.CallMillis;
import io.spyhop.bench.deli.DeliReport.Compaction;
import io.spyhop.bench.deli.DeliReport.Mixed;
import io.spyhop.bench.deli.DeliReport.OnlineBlockReads;
import io.spyhop.bench.deli.DeliReport.Overhead;
import io.spyhop.bench.deli.DeliReport.PerMode;
import io.spyhop.bench.deli.DeliReport.Rates;
import io.spyhop.bench.deli.DeliReport.Singles;
import io.spyhop.bench.deli.Settings;
import java.util.ArrayList;
import java.util.List;

/** A report as a run gives it, with made-up numbers. */
public final class DeliSample {
  private DeliSample() {}

  /** The report. */
  public static DeliReport report() {
    Rates rates = Rates.of(80_000, 30_000, 6_000);
    PerMode millis = new PerMode(10, 20, 90);
    CallMillis calls = new CallMillis(1, 2, 3, 4);
    List<Compaction> compactions = new ArrayList<>();
    for (String dataset : List.of("single", "multi")) {
      for (String mode : List.of("none", "streaming", "staged", "before")) {
        compactions.add(new Compaction(dataset, mode, 1.5, 1, 42, List.of(1.5)));
      }
    }
    return new DeliReport(
        rates,
        millis,
        List.of(new Mixed(0, 2, 1, 2, calls, calls), new Mixed(1, 1, 2, 0.5, calls, calls)),
        compactions,
        new OnlineBlockReads(0, 1_234),
        millis,
        rates,
        new Singles(rates, millis, millis),
        List.of(
            new Overhead("deferred", 1, 2, 3, 0, 5, 5), new Overhead("sync", 4, 1, 5, 9, 5, 14)),
        new Settings(240_000, 40_000, 4, 4, 3, 500));
  }
}
