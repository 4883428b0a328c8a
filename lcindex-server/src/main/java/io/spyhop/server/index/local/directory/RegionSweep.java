package io.spyhop.server.index.local.directory;

import io.spyhop.core.io.IoFunction;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the index files of regions that are elsewhere, after a long time, and of those that are
 * gone, soon. For a region that is not gone, others are asked again after twice the time. Used by
 * one thread at a time.
 *
 * <p>A region is gone if it is not in hbase:meta, HBase has no directory of it with the tables, and
 * nobody can read what the archive has of it (docs/decisions/0032). Its index files may be read
 * under another region's name: by the daughters of a split, by the region that others were merged
 * to, by clones and what is restored from snapshots. The first two have references to its HFiles,
 * for which HBase keeps its directory; the others have links or a snapshot.
 */
public final class RegionSweep {
  private static final Logger LOG = LoggerFactory.getLogger(RegionSweep.class);

  private final FileSystem fs;
  private final Path root;
  private final DirectoryOwner owner;
  private final HBaseRoot hbase;

  /** For how long a region must be absent before others are asked for it again. */
  private final Map<String, Long> askedNext = new HashMap<>();

  private int deleted;

  /**
   * The times for which files stay.
   *
   * @param absentMillis those of a region that is elsewhere
   * @param goneMillis those of a region that is gone
   */
  public record Terms(long absentMillis, long goneMillis) {}

  /**
   * @param root the directory that has those of the regions
   */
  RegionSweep(FileSystem fs, Path root, DirectoryOwner owner, HBaseRoot hbase) {
    this.fs = fs;
    this.root = root;
    this.owner = owner;
    this.hbase = hbase;
  }

  /**
   * Looks at all directories of regions once.
   *
   * @param isPresent whether a region's files stay for sure, by its encoded name
   * @param meta finds those that hbase:meta knows, by encoded names
   * @param now milliseconds
   * @throws IOException if something could not be looked up or deleted; what is left goes next time
   */
  void sweep(
      Predicate<String> isPresent, IoFunction<Set<String>, Set<String>> meta, long now, Terms terms)
      throws IOException {
    AbsentRegions absent = AbsentRegions.load(fs, root);
    deleted = 0;
    Map<String, FileStatus> doubtful = new HashMap<>();
    try {
      Map<String, Long> away = new HashMap<>();
      for (FileStatus status : list()) {
        String name = status.getPath().getName();
        if (!DirectoryOwner.isRegionName(name) || isPresent.test(name)) {
          continue;
        }
        long millis = absent.millis(name, now);
        away.put(name, millis);
        if (millis >= terms.absentMillis()) {
          delete(status, absent, "elsewhere or gone");
        } else if (millis >= askedNext.getOrDefault(name, terms.goneMillis())) {
          doubtful.put(name, status);
        }
      }
      askedNext.keySet().retainAll(away.keySet());
      Set<String> gone = gone(doubtful.keySet(), meta);
      for (Map.Entry<String, FileStatus> e : doubtful.entrySet()) {
        if (!gone.contains(e.getKey())) {
          askedNext.put(e.getKey(), 2 * away.get(e.getKey()));
        } else if (!isPresent.test(e.getKey())) {
          delete(e.getValue(), absent, "gone");
        }
      }
    } finally {
      if (deleted > 0) {
        LOG.info("Deleted index files of {} regions that are elsewhere or gone: {}", deleted, root);
      }
      absent.store();
    }
  }

  private Set<String> gone(Set<String> doubtful, IoFunction<Set<String>, Set<String>> meta)
      throws IOException {
    Set<String> gone = new HashSet<>(doubtful);
    if (!gone.isEmpty()) {
      gone.removeAll(meta.apply(gone));
    }
    if (!gone.isEmpty()) {
      gone.removeAll(hbase.readableRegions());
    }
    return gone;
  }

  private void delete(FileStatus region, AbsentRegions absent, String why) throws IOException {
    if (owner.isRegion(region)) {
      LOG.debug("Deleting {}: the region is {}", region.getPath(), why);
      if (fs.delete(region.getPath(), true)) {
        absent.deleted(region.getPath().getName());
        deleted++;
      }
    } else {
      LOG.warn("{} is left alone: it holds other things than index files", region.getPath());
    }
  }

  private FileStatus[] list() throws IOException {
    try {
      return fs.listStatus(root);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }
}
