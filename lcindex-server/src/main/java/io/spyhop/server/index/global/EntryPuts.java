package io.spyhop.server.index.global;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;

/** Entries that wait to be written together, bounded in number and bytes. Not thread-safe. */
final class EntryPuts {
  private static final int MOST = 2_000;
  private static final long MOST_BYTES = 4 << 20;

  private final List<Put> puts = new ArrayList<>();
  private long bytes;

  void add(Put put) {
    puts.add(put);
    bytes += put.heapSize();
  }

  boolean isEmpty() {
    return puts.isEmpty();
  }

  /** Whether they are to be written before more are added. */
  boolean isFull() {
    return puts.size() >= MOST || bytes >= MOST_BYTES;
  }

  /** All of them; none is left. */
  List<Put> take() {
    List<Put> taken = List.copyOf(puts);
    puts.clear();
    bytes = 0;
    return taken;
  }
}
