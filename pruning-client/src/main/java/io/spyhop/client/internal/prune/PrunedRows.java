package io.spyhop.client.internal.prune;

import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.prune.ScanState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a query that leaves out regions. The first call decides: parts that may match by what
 * is known already are read at once; for those that could be left out statistics are asked for
 * meanwhile, and what turns out to be needed is read beside (paper, section 5.3). Who wants few
 * rows gets them part by part. Not thread-safe.
 */
public final class PrunedRows implements RowStream {
  /** As many parts are decided together at most, if few rows are wanted. */
  private static final int MAX_WIDTH = 64;

  private final TablePruning pruning;
  private final PrunedQuery question;
  private final Opener opener;
  private final ScanPool pool;
  private final ReadDemand demand;
  private List<Part> parts = List.of();
  private RowStream rows;
  private boolean closed;

  /** Opens the scan of a part. Thread-safe. */
  @FunctionalInterface
  public interface Opener {
    /**
     * The rows of a range.
     *
     * @param state {@link ScanState#RS} or {@link ScanState#RSM}
     */
    RowSource open(RowRange range, ScanState state) throws IOException;
  }

  /**
   * Nothing is asked before the first row is; then the query begins.
   *
   * @param demand as for {@link RowStream#of}
   */
  public PrunedRows(
      TablePruning pruning, PrunedQuery question, Opener opener, ScanPool pool, ReadDemand demand) {
    this.pruning = pruning;
    this.question = question;
    this.opener = opener;
    this.pool = pool;
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
    List<Part> early = run.early();
    return demand.isLimited() && question.consistency().level() != Consistency.Level.BATCHED
        ? new InOrder(run, early)
        : allAtOnce(run, early);
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
      return RowStream.of(ranges(read), opener(read), pool, demand);
    }
    RowStream first =
        read.isEmpty()
            ? RowStream.empty()
            : RowStream.started(ranges(read), opener(read), pool, demand);
    try {
      List<Part> settled = run.settle(open);
      note(run, early, sure, settled);
      List<Part> late = new ArrayList<>(settled);
      late.removeIf(Part::isPruned);
      RowStream second = RowStream.of(ranges(late), opener(late), pool, demand);
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
   * The first parts may have the few rows that are wanted: statistics of others are asked for when
   * it is their turn, of one part, then of two, of four.
   */
  private final class InOrder implements RowStream {
    private final TablePruning.Run run;
    private final List<Part> early;
    private int at;
    private int width = 1;
    private RowStream current = RowStream.empty();

    private InOrder(TablePruning.Run run, List<Part> early) {
      this.run = run;
      this.early = early;
    }

    @Override
    public Result next() throws IOException {
      Result row = current.next();
      while (row == null && at < early.size()) {
        current.close();
        current = window();
        row = current.next();
      }
      return row;
    }

    private RowStream window() throws IOException {
      List<Part> window = early.subList(at, Math.min(early.size(), at + width));
      List<Part> open = new ArrayList<>(window);
      open.removeIf(Part::settled);
      List<Part> read = new ArrayList<>(window);
      read.removeIf(p -> !p.settled());
      List<Part> settled = run.settle(open);
      note(run, window, read, settled);
      read.addAll(settled);
      read.removeIf(Part::isPruned);
      read.sort(Part.BY_ROW);
      RowStream rows = RowStream.of(ranges(read), opener(read), pool, demand.from(width));
      at += window.size();
      width = Math.min(2 * width, MAX_WIDTH);
      return rows;
    }

    @Override
    public void close() {
      current.close();
    }
  }

  private static List<RowRange> ranges(List<Part> parts) {
    return parts.stream().map(Part::range).toList();
  }

  private RowSource.Opener opener(List<Part> parts) {
    Map<byte[], ScanState> states = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    parts.forEach(p -> states.put(p.range().start(), p.decision().state()));
    return range -> opener.open(range, states.get(range.start()));
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
