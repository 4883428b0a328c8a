package io.spyhop.server.index.global;

import io.spyhop.core.io.IoFunction;
import io.spyhop.server.index.global.opening.ControlNotes;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;

/**
 * The notes of index tables, cached for one pass over many regions: a table is read once for all of
 * them, and one that gave no answer is not waited for again. Not thread-safe.
 */
final class PassNotes {
  /** How old an answer may be: a pass that builds takes hours. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  /** How long a table is left alone that gave no answer. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private final IoFunction<TableName, ControlNotes> tables;
  private final LongSupplier nanos;
  private final Map<TableName, Answer> answers = new HashMap<>();
  private final Map<TableName, Failure> failures = new HashMap<>();

  private record Answer(ControlNotes notes, long at) {}

  private record Failure(IOException why, long at) {}

  /**
   * @param nanos a clock that only goes forwards
   */
  PassNotes(IoFunction<TableName, ControlNotes> tables, LongSupplier nanos) {
    this.tables = tables;
    this.nanos = nanos;
  }

  /**
   * What a table said a moment ago, and after a time.
   *
   * @param time of the clock
   */
  ControlNotes since(TableName indexTable, long time) throws IOException {
    Answer known = answers.get(indexTable);
    boolean serves =
        known != null && known.at - time > 0 && nanos.getAsLong() - known.at <= FRESH.toNanos();
    return serves ? known.notes : now(indexTable);
  }

  private ControlNotes now(TableName indexTable) throws IOException {
    Failure last = failures.get(indexTable);
    if (last != null && nanos.getAsLong() - last.at <= SILENCE.toNanos()) {
      throw new IOException("'" + indexTable + "' gave no answer a moment ago", last.why);
    }
    long at = nanos.getAsLong();
    try {
      ControlNotes notes = tables.apply(indexTable);
      answers.put(indexTable, new Answer(notes, at));
      return notes;
    } catch (IOException e) {
      failed(indexTable, e);
      throw e;
    }
  }

  /** A table could not be read or written. */
  void failed(TableName indexTable, IOException why) {
    answers.remove(indexTable);
    failures.put(indexTable, new Failure(why, nanos.getAsLong()));
  }
}
