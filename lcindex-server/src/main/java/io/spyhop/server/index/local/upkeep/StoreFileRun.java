package io.spyhop.server.index.local.upkeep;

import io.spyhop.server.view.Run;
import io.spyhop.server.view.store.FileRun;
import io.spyhop.server.view.store.FileRuns;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * All cells of a store file by position, read as a stream past the block cache: of a reference
 * those of the whole HFile behind it. The store file stays referenced until it is closed. Not
 * thread-safe.
 */
final class StoreFileRun implements Closeable {
  private final StoreFileScanner held;
  private final HFile.Reader reader;
  private final Run file;
  private final FileRun run;

  StoreFileRun(HStoreFile file) throws IOException {
    file.initReader();
    held = file.getStreamScanner(false, false, true, Long.MAX_VALUE, 0, false);
    boolean ready = false;
    try {
      StoreFileReader reader = SpyhopAccess.reader(held);
      this.file =
          new Run(
              file.getPath().getName(),
              reader.length(),
              reader.getEntries(),
              reader.getSequenceID(),
              new long[0],
              new int[0]);
      this.reader = reader.getHFileReader();
      run = FileRuns.discover(reader.getHFileReader(), SpyhopAccess.shownSequence(reader));
      ready = true;
    } finally {
      if (!ready) {
        held.close();
      }
    }
  }

  /** Reads the HFile. */
  HFile.Reader reader() {
    return reader;
  }

  /** The file, without its blocks. */
  Run file() {
    return file;
  }

  /** At the beginning of the file. */
  FileRun run() {
    return run;
  }

  @Override
  public void close() {
    run.close();
    held.close();
  }
}
