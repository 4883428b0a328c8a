package io.spyhop.bench.pruning;

import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Asks the queries while rows are written, the paper's figure 15. Each time it begins with one
 * HFile a region and the rows' own values. Not thread-safe.
 */
final class WritesTrial {
  private static final List<List<TableScan>> ALL =
      Stream.of(PaperQuery.values())
          .flatMap(q -> q.instances(Settings.INSTANCES).stream())
          .toList();

  private final Connection connection;
  private final Dataset data;
  private final ChangingRows rows;
  private final QueryTrial trial;
  private final Settings settings;

  WritesTrial(
      Connection connection, Dataset data, ChangingRows rows, QueryTrial trial, Settings settings) {
    this.connection = connection;
    this.data = data;
    this.rows = rows;
    this.trial = trial;
    this.settings = settings;
  }

  /** All queries at the usual rate, and one of them at others. */
  List<Row> run(Progress.Factory progress) throws IOException {
    List<Row> measured = new ArrayList<>();
    for (PaperQuery query : PaperQuery.values()) {
      measured.add(at(settings.writeRate(), query, PruningBench.WRITE, progress));
    }
    for (int rate : settings.writeRates()) {
      measured.add(at(rate, PaperQuery.Q55, PruningBench.WRITES + rate, progress));
    }
    return measured;
  }

  private Row at(int rate, PaperQuery query, String load, Progress.Factory progress)
      throws IOException {
    List<List<TableScan>> instances = query.instances(Settings.INSTANCES);
    if (rate == 0) {
      return trial.run(query.title(), load, instances, settings.rounds());
    }
    try (Progress shown = progress.start("Writing " + rate + " rows/s", 1);
        WriteLoad writes = new WriteLoad(connection, data, rows, rate)) {
      Row measured = trial.underWrites(query.title(), load, instances, settings.rounds(), writes);
      rows.putBack(connection);
      trial.renew(ALL);
      shown.step(1);
      return measured;
    }
  }
}
