package io.spyhop.server.index.local.upkeep;

import io.spyhop.server.index.local.CellSource;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/** All cells of a store file, read as a stream past the block cache. Not thread-safe. */
final class StoreFileSource implements CellSource {
  private final StoreFileScanner scanner;

  /** Opens a reader of its own; the store file stays referenced until {@link #close()}. */
  StoreFileSource(HStoreFile file) throws IOException {
    file.initReader();
    scanner = file.getStreamScanner(false, false, true, Long.MAX_VALUE, 0, false);
    boolean ready = false;
    try {
      scanner.seek(KeyValue.LOWESTKEY);
      ready = true;
    } finally {
      if (!ready) {
        scanner.close();
      }
    }
  }

  @Override
  public Cell next() throws IOException {
    return scanner.next();
  }

  @Override
  public void shipped() throws IOException {
    scanner.shipped();
  }

  @Override
  public void close() {
    scanner.close();
  }
}
