package io.spyhop.server.index.local;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The index files of a server of which statistics, checksums or readers are in memory: as many as
 * have room, those that were used last. The others are read again when a query comes. Thread-safe.
 */
public final class OpenFiles {
  private final long maxBytes;
  private final long maxReaders;
  private final Map<Holder, Held> files = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long readers;

  /** A file that holds something. */
  interface Holder {
    /** Lets go of what can be read again, now or when it is not read any more. */
    void rest();
  }

  /** Heap and descriptors of one file. */
  private record Held(long bytes, int readers) {}

  /**
   * @param maxBytes on the heap, about
   * @param maxReaders each has a file descriptor, where files are on a local disk
   */
  public OpenFiles(long maxBytes, long maxReaders) {
    this.maxBytes = maxBytes;
    this.maxReaders = maxReaders;
  }

  /**
   * A file is used now.
   *
   * @param heap bytes that it holds
   * @param isRead whether it has a reader
   * @return files that are to let go of what they hold: this one has room then, however large it is
   */
  synchronized List<Holder> used(Holder file, long heap, boolean isRead) {
    Held now = new Held(heap, isRead ? 1 : 0);
    bytes += now.bytes;
    readers += now.readers;
    subtract(files.put(file, now));
    List<Holder> idle = new ArrayList<>();
    Iterator<Map.Entry<Holder, Held>> oldest = files.entrySet().iterator();
    while ((bytes > maxBytes || readers > maxReaders) && files.size() > 1) {
      Map.Entry<Holder, Held> e = oldest.next();
      idle.add(e.getKey());
      subtract(e.getValue());
      oldest.remove();
    }
    return idle;
  }

  /** A file holds nothing any more. */
  synchronized void forget(Holder file) {
    subtract(files.remove(file));
  }

  private void subtract(Held held) {
    if (held != null) {
      bytes -= held.bytes;
      readers -= held.readers;
    }
  }
}
