package io.spyhop.server.index.local.remote;

import io.spyhop.core.io.IoFunction;
import io.spyhop.server.index.local.IndexFile;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The files of which pieces were asked for last, with what their SFiles say: an SFile grows with
 * its IFile, and reading it again for every piece would make copying quadratic. Thread-safe.
 */
final class ServedFiles {
  /** A file that is as it was: one that was changed or replaced is another. */
  private record Key(Path sfile, long length, long modified) {}

  private final long bound;
  private final Map<Key, IndexFile> files = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * @param bound how many bytes of SFiles are remembered; the last one is, however long it is
   */
  ServedFiles(long bound) {
    this.bound = bound;
  }

  /**
   * The file as it is remembered, or else as it is read.
   *
   * @param sfile the SFile as it is now
   */
  IndexFile get(FileStatus sfile, IoFunction<FileStatus, IndexFile> reader) throws IOException {
    Key key = new Key(sfile.getPath(), sfile.getLen(), sfile.getModificationTime());
    IndexFile known = known(key);
    if (known == null) {
      known = reader.apply(sfile);
      remember(key, known);
    }
    return known;
  }

  private synchronized IndexFile known(Key key) {
    return files.get(key);
  }

  private synchronized void remember(Key key, IndexFile file) {
    if (files.put(key, file) == null) {
      bytes += key.length();
    }
    Iterator<Key> oldest = files.keySet().iterator();
    while (bytes > bound && files.size() > 1) {
      bytes -= oldest.next().length();
      oldest.remove();
    }
  }
}
