package io.spyhop.bench.mdrq;

import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/**
 * One writer puts rows one after the other, with and without a reader beside it who asks for rows
 * with one of 5,000 values: on the plain twin by scans, on the indexed table through Spyhop.
 */
record PutsTrial(List<InQuery> questions) implements Measurement {
  private static final Duration INDEX_LIMIT = Duration.ofMinutes(10);
  private static final int TURNS = 2;

  @Override
  public void run(Scene scene, Progress.Factory progress) throws IOException {
    declareStatistics(scene.twins());
    String task = "Writing (" + scene.state() + ")";
    GrowingRows rows = new GrowingRows(scene.rows());
    try (Progress shown = progress.start(task, questions.size())) {
      for (InQuery question : questions) {
        scene.findings().addPuts(measure(scene, question, rows));
        shown.step(1);
      }
    }
  }

  /** Of a column that writes change as they do the indexed ones. */
  private static void declareStatistics(Twins twins) throws IOException {
    IndexDefinition custkey =
        IndexDefinition.builder("custkey")
            .kind(IndexKind.STATS)
            .column("d:custkey")
            .type(ValueType.LONG)
            .build();
    twins.admin().createIndex(Twins.INDEXED, custkey);
    twins.admin().waitUntilActive(Twins.INDEXED, INDEX_LIMIT);
  }

  private static Row measure(Scene scene, InQuery question, GrowingRows rows) throws IOException {
    Side plain = scene.twins().asker().predicateScan(Twins.PLAIN, question);
    Side indexed = scene.twins().asker().spyhop(question);
    List<Result> expected = plain.ask();
    boolean equal = scene.findings().areEqual(question.name(), expected, List.of(indexed.ask()));
    Duration turn = State.turn(scene.trial()).multipliedBy(2);
    try (WriterAndReader toPlain =
            new WriterAndReader(scene.twins().connection(), Twins.PLAIN, rows, plain);
        WriterAndReader toIndexed =
            new WriterAndReader(scene.twins().connection(), Twins.INDEXED, rows, indexed)) {
      for (int i = 0; equal && i < TURNS; i++) {
        toPlain.writeAlone(turn);
        toIndexed.writeAlone(turn);
        toPlain.writeBesideReader(turn);
        toIndexed.writeBesideReader(turn);
      }
      return scene
          .row(question.name())
          .and("plain", toPlain.report())
          .and("spyhop", toIndexed.report())
          .and("equal", equal);
    }
  }
}
