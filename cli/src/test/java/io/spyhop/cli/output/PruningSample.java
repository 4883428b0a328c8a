package io.spyhop.cli.output;

import io.spyhop.bench.pruning.PruningReport;
import io.spyhop.bench.pruning.PruningReport.Measured;
import io.spyhop.bench.pruning.PruningReport.Query;
import io.spyhop.bench.pruning.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A report as a run gives it, with made-up numbers. */
public final class PruningSample {
  private PruningSample() {}

  /** The report. */
  public static PruningReport report() {
    List<Measured> measured = new ArrayList<>();
    for (String load :
        List.of(
            "read-only", "write", "memstore-0", "memstore-50", "write-500", "partitions-256k")) {
      for (String name : List.of("Q-42", "Q-55")) {
        Query query = new Query(name, load, 52, 20.25, 52, 3, 18.5, 12.5, 50, true);
        measured.add(new Measured(query, 80, 20, 900, 300, 0.5, 120, 1, 490));
      }
    }
    return new PruningReport(
        measured,
        new PruningReport.Sync(50, 2, 2, 1.25, 1),
        new PruningReport.WriteCost(1_000, 2, 2.04, 1.02, 1.03),
        new TreeMap<>(Map.of("item", 2_584L, "store", 138L)),
        List.of(new PruningReport.Space("item", 19, 2_584, 2_584, 4_700)),
        List.of(
            new PruningReport.Interval(1, 40, 0.5, 100, 900),
            new PruningReport.Interval(6, 44, 0.5, 100, 160)),
        List.of(new PruningReport.Index("Q-55", 20, 14_000, 10, 3_000_000)),
        Settings.of(false, 1, 40_000, 256, 1_024, 500));
  }
}
