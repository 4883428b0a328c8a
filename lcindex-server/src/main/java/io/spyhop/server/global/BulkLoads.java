package io.spyhop.server.global;

import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.global.repair.Removals;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A region's bulk loads that are under way, each in the thread that began it. Thread-safe.
 *
 * <p>While one is, nothing of a synchronous index is deleted because it could not be seen: what the
 * files delete may uncover it, and of files that are not there yet a repair does not know.
 */
final class BulkLoads {
  private final Map<Thread, Load> loads = new ConcurrentHashMap<>();

  /**
   * One bulk load.
   *
   * @param known the indexes that it writes the entries of
   * @param held what it holds, or null
   */
  private record Load(List<GlobalIndex> known, Removals held) {}

  /** The thread begins to load files; {@link #end} must follow. */
  void begin() {
    loads.put(Thread.currentThread(), new Load(List.of(), null));
  }

  /** The thread's files get their entries in these indexes. */
  void know(List<GlobalIndex> indexes, Removals removals) {
    boolean holds =
        indexes.stream().anyMatch(i -> i.definition().maintenance() == Maintenance.SYNC);
    if (holds) {
      removals.hold();
    }
    loads.put(Thread.currentThread(), new Load(indexes, holds ? removals : null));
  }

  /** The thread's files are loaded, or will not be; without effect if there are none. */
  void end() {
    Load load = loads.remove(Thread.currentThread());
    if (load != null && load.held() != null) {
      load.held().release();
    }
  }

  /**
   * Whether HFiles are being loaded that do not have their entries in an index, as the loading
   * began before the region knew of it.
   */
  boolean anyWithout(GlobalIndex index) {
    return loads.values().stream().anyMatch(l -> !l.known().contains(index));
  }
}
