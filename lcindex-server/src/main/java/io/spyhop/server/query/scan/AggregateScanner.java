package io.spyhop.server.query.scan;

import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.aggregate.CodedColumn;
import io.spyhop.core.aggregate.Groups;
import io.spyhop.core.aggregate.PartialRow;
import io.spyhop.core.aggregate.RowFeed;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.server.index.local.RowSink;
import io.spyhop.server.memory.BlockBytes;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.memory.UnshippedBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess.HandedOut;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Takes the rows of the scanner that answers a scan, and hands out partial results of an aggregate
 * in their place: at the end, when a call's time is up or it has read as many blocks as it may, and
 * when the groups take too much memory.
 *
 * <p>Each partial result is of the rows behind the one before, and its row key is that of the last
 * row it is of. HBase's client reopens a scan behind the last row that it was sent, in whatever
 * region has the next rows by then; so no row counts twice or is missed. A call may end within a
 * row, which is not in the result then: HBase's scanners go no further once a call's time is up,
 * even within a row. A scanner without rows hands out nothing.
 *
 * <p>Rows that an index knows enough of come as values of columns, before others that lie between
 * them. Once there are such, nothing is handed out before the end; if groups take too much memory
 * until then, all rows are read from there on where the last partial result ended. Thread-safe as
 * HBase's own.
 */
public final class AggregateScanner extends OwnedScanner {
  /** Groups of more memory are sent. */
  private static final long MOST_BYTES = 4 << 20;

  /** How much groups grow before memory is asked for. */
  private static final long STEP = 64 << 10;

  private final RowFeed feed;
  private final QueryMemory memory;
  private final List<Cell> cells = new ArrayList<>();

  /** The last row that was taken whole. */
  private byte[] last;

  /** The row of which cells were taken and more may follow; null between rows. */
  private byte[] row;

  /** The last row of the last partial result. */
  private byte[] sent;

  /** What takes values of columns, if the scanner below gives any. */
  private final Optional<Columns> columns;

  private long held;
  private boolean closed;

  /**
   * @param rows the scanner that answers the scan; closed with this one
   * @param memory bounds the groups; closed with this one
   */
  public AggregateScanner(
      HRegion region, AggregateRequest request, QueryMemory memory, RegionScanner rows)
      throws IOException {
    super(region, rows);
    this.feed = new RowFeed(request);
    this.memory = memory;
    this.columns =
        rows instanceof IndexScanner index
            ? Optional.of(new Columns(index, request.columns()))
            : Optional.empty();
    columns.ifPresent(c -> c.index.giveTo(c));
  }

  /** Takes the values of rows that are not read. */
  private final class Columns implements RowSink {
    private final IndexScanner index;
    private final List<BoundColumn> asked;
    private byte[] end;

    /** Rows of the next partial result. */
    private long taken;

    Columns(IndexScanner index, List<BoundColumn> asked) {
      this.index = index;
      this.asked = asked;
    }

    @Override
    public List<BoundColumn> columns() {
      return asked;
    }

    @Override
    public boolean isInRange(byte[] of) {
      return index.isInRange(of);
    }

    @Override
    public void take(long[] rows, List<CodedColumn> values) throws FullException {
      int count;
      try {
        count = feed.groups().add(rows, values, MOST_BYTES);
      } catch (RuntimeException e) {
        throw new FullException("values of columns cannot be taken", e);
      }
      taken += count;
      if (count < 0 || isFull()) {
        throw new FullException("groups take " + feed.groups().bytes() + " bytes", null);
      }
    }

    @Override
    public void upTo(byte[] of) {
      end = end == null || Bytes.compareTo(of, end) > 0 ? of : end;
    }

    @Override
    public byte[] startOver() {
      taken = 0;
      end = null;
      row = null;
      last = null;
      forget();
      return sent;
    }
  }

  @Override
  boolean serve(List<Cell> out, ScannerContext context) throws IOException {
    HandedOut before = HandedOut.in(context);
    BlockBytes blocks = new BlockBytes(context);
    UnshippedBytes kept = new UnshippedBytes();
    boolean more;
    do {
      more = core.nextRaw(cells, context);
      take(more && SpyhopAccess.isMidRow(context));
      before.restore(context);
      if (kept.add(blocks.ofCall())) {
        letGo();
      }
      if (isAhead() && more && isFull()) {
        columns.orElseThrow().index.readAll();
      }
    } while (more && (isAhead() || !isFull()) && !SpyhopAccess.isUsedUp(context));
    if (!more || !isAhead()) {
      handOut(out, context);
    }
    return SpyhopAccess.setMore(context, more);
  }

  /** Whether rows were taken that lie behind some that come. */
  private boolean isAhead() {
    return columns.isPresent() && columns.get().taken > 0;
  }

  /** Takes cells of a row, of which more may follow. */
  private void take(boolean mayFollow) {
    if (!cells.isEmpty()) {
      begin(cells.get(0));
      feed.offer(cells);
      cells.clear();
    }
    if (mayFollow) {
      feed.keep();
    } else {
      end();
    }
  }

  /** What follows of a row may be deleted cells alone, and the next cells those of another row. */
  private void begin(Cell cell) {
    if (row != null && !CellUtil.matchingRows(cell, row)) {
      end();
    }
    row = row == null ? CellUtil.cloneRow(cell) : row;
  }

  private void end() {
    if (row != null) {
      feed.endRow();
      last = row;
      row = null;
    }
  }

  private boolean isFull() {
    long bytes = feed.groups().bytes();
    if (bytes <= held) {
      return false;
    }
    held = bytes + STEP;
    return bytes > MOST_BYTES || !memory.tryHold(2 * held);
  }

  private void handOut(List<Cell> out, ScannerContext context) {
    Groups groups = feed.groups();
    if (!groups.isEmpty()) {
      columns.ifPresent(c -> include(c, context));
      out.add(PartialRow.cell(last, groups.encode()));
      SpyhopAccess.countRow(context, out);
      sent = last;
      forget();
    }
  }

  private void include(Columns of, ScannerContext context) {
    last = of.end != null && (last == null || Bytes.compareTo(of.end, last) > 0) ? of.end : last;
    of.index.taken(of.taken);
    SpyhopAccess.countScanned(context, of.taken);
    of.taken = 0;
  }

  private void forget() {
    feed.clear();
    held = 0;
    memory.tryHold(0);
  }

  /** There are no rows to be sought. */
  @Override
  public boolean reseek(byte[] row) throws IOException {
    throw new DoNotRetryIOException("a scan for an aggregate cannot seek a row");
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return core.isFilterDone();
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      memory.close();
      core.close();
    }
  }
}
