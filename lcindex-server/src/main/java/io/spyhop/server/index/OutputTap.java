package io.spyhop.server.index;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/**
 * Watches what a flush or compaction writes. What goes wrong in watching ends the watching alone.
 * Not thread-safe.
 */
public abstract class OutputTap implements InternalScanner, Shipper {
  private final InternalScanner scanner;
  private boolean watching = true;
  private boolean exhausted;

  protected OutputTap(InternalScanner scanner) {
    this.scanner = scanner;
  }

  /** A cell that is going to be written, valid during the call only. */
  protected abstract void look(Cell cell) throws IOException;

  /** Watching has failed: no further cell is shown. */
  protected abstract void failed(Throwable why);

  @Override
  public final boolean next(List<Cell> result, ScannerContext context) throws IOException {
    int before = result.size();
    boolean more = scanner.next(result, context);
    look(result, before);
    exhausted = !more;
    return more;
  }

  @Override
  public final boolean next(List<Cell> result) throws IOException {
    int before = result.size();
    boolean more = scanner.next(result);
    look(result, before);
    exhausted = !more;
    return more;
  }

  private void look(List<Cell> result, int from) {
    try {
      for (int i = from; watching && i < result.size(); i++) {
        look(result.get(i));
      }
    } catch (Throwable e) { // of an Error, too, HBase would abort the server
      watching = false;
      failed(e);
    }
  }

  /** Whether all cells were read: a flush or compaction that failed may have left some. */
  protected final boolean isExhausted() {
    return exhausted;
  }

  /** The flush or compaction has ended, or failed; called in its thread, once or twice. */
  protected void ended() {}

  @Override
  public final void shipped() throws IOException {
    if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public final void close() throws IOException {
    try {
      ended();
    } catch (Throwable e) { // as above
      failed(e);
    } finally {
      scanner.close();
    }
  }
}
