package io.spyhop.server.index.global;

import io.spyhop.server.index.global.repair.EntryDeletionGate;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.common.hash.HashCode;

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
   * @param known the indexes that it writes the entries of, and the files that have them
   * @param entered the indexes in whose tables entries are
   * @param hold what it holds, or null
   */
  private record Load(
      WeakReference<List<Pair<byte[], String>>> files,
      Map<GlobalIndex, Set<FileIdentity>> known,
      Set<GlobalIndex> entered,
      EntryDeletionGate.Hold hold) {
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
    end(false);
    loads.put(
        Thread.currentThread(), new Load(new WeakReference<>(files), Map.of(), Set.of(), null));
  }

  /**
   * The thread's files get their entries in these indexes.
   *
   * @throws IOException if entries are being deleted, and that does not end soon
   */
  void know(List<Pair<byte[], String>> files, List<GlobalIndex> indexes, EntryDeletionGate removals)
      throws IOException {
    List<String> written =
        indexes.stream()
            .map(GlobalIndex::definition)
            .filter(
                d -> files.stream().anyMatch(f -> Arrays.equals(f.getFirst(), d.column().family())))
            .map(d -> d.name())
            .toList();
    EntryDeletionGate.Hold hold = written.isEmpty() ? null : removals.hold(written, files);
    Map<GlobalIndex, Set<FileIdentity>> known = new ConcurrentHashMap<>();
    indexes.forEach(i -> known.put(i, Set.of()));
    Set<GlobalIndex> entered = ConcurrentHashMap.newKeySet();
    loads.put(Thread.currentThread(), new Load(new WeakReference<>(files), known, entered, hold));
  }

  /** Some of the thread's files' entries are about to be in an index's table. */
  void enters(GlobalIndex index) {
    loads.get(Thread.currentThread()).entered().add(index);
  }

  /** These of the thread's files have their entries in an index. */
  void written(GlobalIndex index, Set<FileIdentity> files) {
    loads.get(Thread.currentThread()).known().replace(index, files);
  }

  /** Whether the thread loads files at all. */
  boolean isAny() {
    return loads.containsKey(Thread.currentThread());
  }

  /**
   * Takes from what the thread's load is known to have written the indexes that lack the entries of
   * a file: it is none of those that were read.
   *
   * @param file where it is now
   */
  List<GlobalIndex> lacking(byte[] family, FileSystem fs, Path file, Configuration conf)
      throws IOException {
    Map<GlobalIndex, Set<FileIdentity>> known = loads.get(Thread.currentThread()).known();
    List<GlobalIndex> lacking = new ArrayList<>();
    for (Map.Entry<GlobalIndex, Set<FileIdentity>> e : known.entrySet()) {
      if (Arrays.equals(family, e.getKey().definition().column().family())
          && !isAmong(e.getValue(), fs, file, conf)) {
        lacking.add(e.getKey());
      }
    }
    lacking.forEach(known::remove);
    return lacking;
  }

  /** A copy has other blocks, and is read. */
  private static boolean isAmong(
      Set<FileIdentity> files, FileSystem fs, Path file, Configuration conf) throws IOException {
    if (files.isEmpty()) {
      return false;
    }
    List<String> blocks = FileIdentity.blocks(fs, file);
    if (!blocks.isEmpty() && files.stream().anyMatch(f -> f.blocks().equals(blocks))) {
      return true;
    }
    HashCode cells = FileIdentity.cells(fs, file, conf);
    return files.stream().anyMatch(f -> f.cells().equals(cells));
  }

  /**
   * The thread's files are loaded, or will not be; without effect if there are none.
   *
   * @param done whether they are loaded
   * @return the indexes in whose tables are entries that may have nothing behind them: of files
   *     that are not loaded, or in whose place others are
   */
  Set<GlobalIndex> end(boolean done) {
    Load load = loads.remove(Thread.currentThread());
    if (load == null) {
      return Set.of();
    }
    if (load.hold() != null) {
      load.hold().release();
    }
    return load.entered().stream()
        .filter(i -> !done || !load.known().containsKey(i))
        .collect(Collectors.toSet());
  }

  /**
   * Whether HFiles are being loaded that do not have their entries in an index: the loading began
   * before the region knew of it, or other files are loaded than were read.
   */
  boolean anyWithout(GlobalIndex index) {
    loads.values().removeIf(Load::isOver);
    return loads.values().stream().anyMatch(l -> !l.known().containsKey(index));
  }
}
