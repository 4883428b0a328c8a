package io.spyhop.server.index;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/**
 * Watches what a flush or compaction writes. What goes wrong in watching ends the watching alone.
 * Used by one thread at a time, but {@link #isClosed}, which is thread-safe.
 */
public abstract class OutputTap implements InternalScanner, Shipper {
  private final InternalScanner scanner;
  private boolean watching = true;
  private volatile boolean closed;

  protected OutputTap(InternalScanner scanner) {
    this.scanner = scanner;
  }

  /** A cell that is going to be written, valid during the call only. */
  protected abstract void look(Cell cell) throws IOException;

  /** Watching has failed: no further cell is shown. */
  protected abstract void failed(Exception why);

  @Override
  public final boolean next(List<Cell> result, ScannerContext context) throws IOException {
    int before = result.size();
    boolean more = scanner.next(result, context);
    look(result, before);
    return more;
  }

  @Override
  public final boolean next(List<Cell> result) throws IOException {
    int before = result.size();
    boolean more = scanner.next(result);
    look(result, before);
    return more;
  }

  private void look(List<Cell> result, int from) {
    try {
      for (int i = from; watching && i < result.size(); i++) {
        look(result.get(i));
      }
    } catch (IOException | RuntimeException e) {
      watching = false;
      failed(e);
    }
  }

  @Override
  public final void shipped() throws IOException {
    if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  /** Whether the flush or compaction has ended, or failed. */
  public final boolean isClosed() {
    return closed;
  }

  @Override
  public final void close() throws IOException {
    closed = true;
    scanner.close();
  }
}
