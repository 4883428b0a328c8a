package io.spyhop.client.internal.prune;

import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.prune.ScanState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a query that leaves out regions. The first call decides: parts that may match by what
 * is known already are read at once, if each is scanned; for those that could be left out
 * statistics are asked for meanwhile, and what turns out to be needed is read beside (paper,
 * section 5.3). Who wants few rows gets them part by part. Not thread-safe.
 */
public final class PrunedRows implements RowStream {
  /** As many parts are decided together at most, if few rows are wanted. */
  private static final int MAX_WIDTH = 64;

  private final TablePruning pruning;
  private final PrunedQuery question;
  private final Reader reader;
  private final ReadDemand demand;
  private List<Part> parts = List.of();
  private RowStream rows;
  private boolean closed;

  /** Reads what is left. Thread-safe. */
  @FunctionalInterface
  public interface Reader {
    /**
     * The rows of ranges, in order.
     *
     * @param states {@link ScanState#RS} or {@link ScanState#RSM} of each, and of its parts
     * @param now whether scans begin before a row is asked for, if each range is scanned
     */
    RowStream open(
        List<RowRange> ranges, Function<RowRange, ScanState> states, ReadDemand demand, boolean now)
        throws IOException;
  }

  /**
   * Nothing is asked before the first row is; then the query begins.
   *
   * @param demand as for {@link RowStream#of}
   */
  public PrunedRows(TablePruning pruning, PrunedQuery question, Reader reader, ReadDemand demand) {
    this.pruning = pruning;
    this.question = question;
    this.reader = reader;
    this.demand = demand;
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    if (rows == null) {
      rows = begin();
    }
    return rows.next();
  }

  private RowStream begin() throws IOException {
    TablePruning.Run run = pruning.begin(question);
    List<RowRange> pieces = run.pieces();
    return demand.isLimited() && question.consistency().level() != Consistency.Level.BATCHED
        ? new InOrder(run, pieces)
        : allAtOnce(run, run.early(pieces));
  }

  private RowStream allAtOnce(TablePruning.Run run, List<Part> early) throws IOException {
    List<Part> open = new ArrayList<>(early);
    open.removeIf(Part::settled);
    List<Part> sure = new ArrayList<>(early);
    sure.removeIf(p -> !p.settled());
    List<Part> read = new ArrayList<>(sure);
    read.removeIf(Part::isPruned);
    if (open.isEmpty()) {
      note(run, early, sure, List.of());
      return read(read, demand, false);
    }
    RowStream first = read.isEmpty() ? RowStream.empty() : read(read, demand, true);
    try {
      List<Part> settled = run.settle(open);
      note(run, early, sure, settled);
      List<Part> late = new ArrayList<>(settled);
      late.removeIf(Part::isPruned);
      RowStream second = read(late, demand, false);
      return read.isEmpty()
          ? second
          : late.isEmpty() ? first : MergedRows.of(List.of(first, second), false);
    } catch (IOException | RuntimeException e) {
      first.close();
      throw e;
    }
  }

  private void note(TablePruning.Run run, List<Part> early, List<Part> sure, List<Part> settled) {
    run.count(early, settled);
    List<Part> all = new ArrayList<>(parts);
    all.addAll(sure);
    all.addAll(settled);
    all.sort(Part.BY_ROW);
    parts = all;
  }

  /**
   * The first pieces may have the few rows that are wanted: others are decided, and their
   * statistics asked for, when it is their turn: one piece, then two, four.
   */
  private final class InOrder implements RowStream {
    private final TablePruning.Run run;
    private final List<RowRange> pieces;
    private int at;
    private int width = 1;
    private RowStream current = RowStream.empty();

    private InOrder(TablePruning.Run run, List<RowRange> pieces) {
      this.run = run;
      this.pieces = pieces;
    }

    @Override
    public Result next() throws IOException {
      Result row = current.next();
      while (row == null && at < pieces.size()) {
        current.close();
        current = window();
        row = current.next();
      }
      return row;
    }

    private RowStream window() throws IOException {
      int end = Math.min(pieces.size(), at + width);
      List<Part> window = run.early(pieces.subList(at, end));
      List<Part> open = new ArrayList<>(window);
      open.removeIf(Part::settled);
      List<Part> read = new ArrayList<>(window);
      read.removeIf(p -> !p.settled());
      List<Part> settled = run.settle(open);
      note(run, window, read, settled);
      read.addAll(settled);
      read.removeIf(Part::isPruned);
      read.sort(Part.BY_ROW);
      RowStream rows = read(read, demand.from(width), false);
      at = end;
      width = Math.min(2 * width, MAX_WIDTH);
      return rows;
    }

    @Override
    public void close() {
      current.close();
    }
  }

  private RowStream read(List<Part> some, ReadDemand wanted, boolean now) throws IOException {
    NavigableMap<byte[], ScanState> states = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    some.forEach(p -> states.put(p.range().start(), p.decision().state()));
    List<RowRange> ranges = some.stream().map(Part::range).toList();
    return reader.open(ranges, r -> states.floorEntry(r.start()).getValue(), wanted, now);
  }

  /**
   * What was decided so far, in row-key order: nothing before the first row was asked for, of all
   * parts after that, or, if few rows are wanted, of those whose turn came.
   */
  public List<Part> parts() {
    return parts;
  }

  @Override
  public void close() {
    closed = true;
    if (rows != null) {
      rows.close();
    }
  }
}
