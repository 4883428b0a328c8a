package io.spyhop.cli.csv;

import io.spyhop.bench.Progress;
import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes the lines of a file into a table, batch by batch, so that it holds one batch at a time.
 * Used once, by one thread.
 */
public final class TableImport {
  /** Bytes of memory beyond which a batch is written, however few rows it has. */
  private static final long MAX_BATCH = 16 << 20;

  /** Nanoseconds. */
  private static final long PAUSE = 2_000_000;

  private static final Pattern CLASS_NAME = Pattern.compile("^([a-z]\\w*\\.)+[A-Z][\\w$]*: ");

  private final Table table;
  private final int batchRows;
  private final Progress progress;
  private final Consumer<String> rejections;

  private final List<Row> batch = new ArrayList<>();
  private final Map<Row, Long> lines = new IdentityHashMap<>();

  /** Of the batch. */
  private final Set<ByteBuffer> keys = new HashSet<>();

  private final KeyCounter counter = new KeyCounter();
  private long batchBytes;
  private long acknowledged;
  private long written;
  private long repeated;
  private long rejected;
  private long shownBytes;

  /**
   * The result of an import.
   *
   * @param rows that were written
   * @param repeated lines that were written into rows that earlier lines had made
   * @param exact whether all repeated lines are known; otherwise there may be more, and fewer rows
   * @param rejected lines that were not
   * @param time from the first line to the last acknowledgement
   */
  public record Report(long rows, long repeated, boolean exact, long rejected, Duration time) {}

  /**
   * @param batchRows rows that are written at once, at least 1
   * @param progress is told of bytes of the file
   * @param rejections is told why a line was rejected, in one line of text
   */
  public TableImport(Table table, int batchRows, Progress progress, Consumer<String> rejections) {
    this.table = table;
    this.batchRows = batchRows;
    this.progress = progress;
    this.rejections = rejections;
  }

  /**
   * Writes all lines.
   *
   * @throws InvalidCsvException if the rest of the file cannot be read as CSV
   * @throws IOException if a batch cannot be written; the batches before it are
   */
  public Report run(CsvSource source, CsvRows rows) throws IOException {
    long start = System.nanoTime();
    try {
      for (Optional<CsvLine> line = source.next(); line.isPresent(); line = source.next()) {
        add(line.get(), rows, source);
        if (batch.size() >= batchRows || batchBytes >= MAX_BATCH) {
          write(source);
        }
      }
    } catch (InvalidCsvException e) {
      write(source);
      throw new InvalidCsvException(
          e.getMessage() + "; " + written + " rows before it were written, what follows was not");
    }
    write(source);
    return new Report(
        written - repeated,
        repeated,
        counter.isExact(),
        rejected,
        Duration.ofNanos(System.nanoTime() - start));
  }

  private void add(CsvLine line, CsvRows rows, CsvSource source) throws IOException {
    Row row;
    try {
      row = rows.row(line);
    } catch (RejectedLineException e) {
      reject(e.getMessage());
      return;
    }
    if (rows.delete() && !keys.add(ByteBuffer.wrap(row.getRow()))) {
      write(source);
      keys.add(ByteBuffer.wrap(row.getRow()));
    }
    batch.add(row);
    lines.put(row, line.number());
    batchBytes += bytes(row);
  }

  private static long bytes(Row row) {
    return row instanceof RowMutations both
        ? both.getMutations().stream().mapToLong(Mutation::heapSize).sum()
        : ((Mutation) row).heapSize();
  }

  private void reject(String why) {
    rejected++;
    rejections.accept(why);
  }

  private void write(CsvSource source) throws IOException {
    if (!batch.isEmpty()) {
      awaitNextMillisecond();
      try {
        put(batch);
        batch.forEach(this::written);
      } catch (RetriesExhaustedWithDetailsException e) {
        refused(source, e);
      } catch (IOException e) {
        throw failed(source, e);
      }
    }
    acknowledged = System.nanoTime();
    batch.clear();
    keys.clear();
    lines.clear();
    batchBytes = 0;
    progress.step(source.bytesRead() - shownBytes);
    shownBytes = source.bytesRead();
  }

  private void put(List<? extends Row> rows) throws IOException {
    try {
      table.batch(rows, new Object[rows.size()]);
    } catch (InterruptedException e) {
      throw Interruption.of("the import was interrupted", e);
    }
  }

  private void written(Row row) {
    written++;
    repeated += counter.wasThere(row.getRow()) ? 1 : 0;
  }

  /**
   * Of a delete and a put that servers get within a millisecond the delete wins, whichever came
   * first: where there are any, batches that may have the same key are that far apart.
   */
  private void awaitNextMillisecond() {
    long until = acknowledged + PAUSE;
    while (!keys.isEmpty() && acknowledged != 0 && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
  }

  /**
   * Some rows were not written: because of what they are, or of what is beside them in their batch,
   * or because no row can be. Each is tried alone.
   */
  private void refused(CsvSource source, RetriesExhaustedWithDetailsException e)
      throws IOException {
    if (!isTheRowsFault(e)) {
      throw failed(source, e);
    }
    List<String> reasons = new ArrayList<>();
    Set<Row> refused = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < e.getNumExceptions(); i++) {
      Row row = e.getRow(i);
      try {
        put(List.of(row));
      } catch (IOException alone) {
        if (!isTheRowsFault(alone)) {
          throw failed(source, alone);
        }
        refused.add(row);
        reasons.add(source.at(lines.get(row)) + ": the row was refused: " + text(alone));
      }
    }
    if (reasons.size() == batch.size() && written == 0) {
      throw failed(source, e);
    }
    batch.stream().filter(row -> !refused.contains(row)).forEach(this::written);
    reasons.forEach(this::reject);
  }

  /** Whether trying the same rows again would change nothing. */
  private static boolean isTheRowsFault(IOException e) {
    return e instanceof RetriesExhaustedWithDetailsException details
        ? details.getCauses().stream().allMatch(c -> c instanceof DoNotRetryIOException)
        : e instanceof DoNotRetryIOException;
  }

  private IOException failed(CsvSource source, IOException e) {
    long first = lines.get(batch.get(0));
    return new IOException(
        String.format(
            "%s: the batch that begins there was not written, or in part only: %s; %d rows before"
                + " it were. Mend that and import again: rows that are there are written again",
            source.at(first), text(e), written),
        e);
  }

  /** What servers said, in one line. */
  private static String text(IOException e) {
    Throwable why =
        e instanceof RetriesExhaustedWithDetailsException details ? details.getCause(0) : e;
    String said = why.getMessage();
    String line = said == null ? "" : said.lines().findFirst().orElse("");
    return line.isBlank()
        ? why.getClass().getSimpleName()
        : CLASS_NAME.matcher(line).replaceFirst("");
  }
}
