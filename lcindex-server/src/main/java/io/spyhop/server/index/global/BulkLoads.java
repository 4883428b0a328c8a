package io.spyhop.server.index.global;

import io.spyhop.server.index.global.repair.Removals;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.util.Pair;

/**
 * A region's bulk loads that are under way, each in the thread that began it. Thread-safe.
 *
 * <p>While one is, no entry is deleted of an index whose family it loads: its files have their
 * entries already, and a repair sees no cells behind them; and what the files delete may uncover
 * what could not be seen.
 *
 * <p>HBase says when a load has ended, however it has, but not if another observer throws when it
 * is told. It holds on to the list of the files until then, so that a load whose list is gone has
 * ended; as has one whose thread begins another.
 */
final class BulkLoads {
  private final Map<Thread, Load> loads = new ConcurrentHashMap<>();

  /**
   * One bulk load.
   *
   * @param files as HBase has handed them in
   * @param known the indexes that it writes the entries of
   * @param hold what it holds, or null
   */
  private record Load(
      WeakReference<List<Pair<byte[], String>>> files,
      List<GlobalIndex> known,
      Removals.Hold hold) {
    boolean isOver() {
      return files.refersTo(null);
    }
  }

  /**
   * The thread begins to load files; {@link #end} must follow.
   *
   * @param files by family; the very list that HBase has
   */
  void begin(List<Pair<byte[], String>> files) {
    end();
    loads.put(Thread.currentThread(), new Load(new WeakReference<>(files), List.of(), null));
  }

  /**
   * The thread's files get their entries in these indexes.
   *
   * @throws IOException if entries are being deleted, and that does not end soon
   */
  void know(List<Pair<byte[], String>> files, List<GlobalIndex> indexes, Removals removals)
      throws IOException {
    List<String> written =
        indexes.stream()
            .map(GlobalIndex::definition)
            .filter(
                d -> files.stream().anyMatch(f -> Arrays.equals(f.getFirst(), d.column().family())))
            .map(d -> d.name())
            .toList();
    Removals.Hold hold = written.isEmpty() ? null : removals.hold(written, files);
    loads.put(Thread.currentThread(), new Load(new WeakReference<>(files), indexes, hold));
  }

  /** The thread's files are loaded, or will not be; without effect if there are none. */
  void end() {
    Load load = loads.remove(Thread.currentThread());
    if (load != null && load.hold() != null) {
      load.hold().release();
    }
  }

  /**
   * Whether HFiles are being loaded that do not have their entries in an index, as the loading
   * began before the region knew of it.
   */
  boolean anyWithout(GlobalIndex index) {
    loads.values().removeIf(Load::isOver);
    return loads.values().stream().anyMatch(l -> !l.known().contains(index));
  }
}
