package io.spyhop.server.index.local.directory;

import io.spyhop.server.index.local.IndexDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Decides whether a directory is this cluster's to write and to sweep (correctness rule 33): only
 * one with the mark of this cluster is. An empty directory gets it, and one that holds nothing but
 * what versions without marks have written. Stateless, thread-safe.
 */
final class DirectoryOwner {
  private static final Pattern REGION = Pattern.compile("[0-9a-f]{32}");
  private static final Set<String> OWN =
      Set.of(ServerDirectory.LOCK, ServerDirectory.TEMPORARY, AbsentRegions.NAME);

  private final FileSystem fs;
  private final Path configured;
  private final Path root;
  private final boolean shared;
  private final HBaseRoot hbase;

  /**
   * @param configured what the setting names
   * @param root the directory in it that is meant; the same if it is shared
   * @param shared whether other servers use the same directory
   */
  DirectoryOwner(FileSystem fs, Path configured, Path root, boolean shared, HBaseRoot hbase) {
    this.fs = fs;
    this.configured = configured;
    this.root = root;
    this.shared = shared;
    this.hbase = hbase;
  }

  /** Fails if the directory is HBase's own, lies in one that is, or contains one. */
  void requireApart() throws IOException {
    for (Path own : hbase.directories()) {
      if (overlaps(own)) {
        throw new IOException(
            setting()
                + " is, contains or lies in HBase's own directory "
                + own
                + ": name a directory that is for index files alone");
      }
    }
  }

  /** Fails if the directory is not this cluster's and may not become it. Writes nothing. */
  void requireOursOrFree() throws IOException {
    Optional<String> marked = DirectoryMark.read(fs, root);
    if (marked.isPresent()) {
      requireThisCluster(marked.get());
    } else {
      requireFree();
    }
  }

  private String setting() {
    return ServerDirectory.ROOT + " = " + configured;
  }

  private void requireThisCluster(String marked) throws IOException {
    String id = hbase.clusterId();
    if (!marked.equals(id)) {
      throw new IOException(
          root
              + " holds index files of the cluster "
              + marked
              + ", and this is "
              + id
              + ": give each cluster a directory of its own in "
              + ServerDirectory.ROOT
              + ", or delete this one if that cluster is no more");
    }
  }

  private boolean overlaps(Path other) throws IOException {
    Path theirs = other.getFileSystem(fs.getConf()).makeQualified(other);
    return isSameOrBelow(theirs, configured) || isSameOrBelow(configured, theirs);
  }

  private static boolean isSameOrBelow(Path path, Path ancestor) {
    for (Path p = path; p != null; p = p.getParent()) {
      if (p.equals(ancestor)) {
        return true;
      }
    }
    return false;
  }

  /** Nothing is in it, or nothing but index files, some of them this cluster's. */
  private void requireFree() throws IOException {
    List<String> regions = new ArrayList<>();
    for (FileStatus status : list(root)) {
      String name = status.getPath().getName();
      if (OWN.contains(name) || DirectoryMark.isMark(name)) {
        continue;
      }
      if (!isRegion(status)) {
        throw notOurs(name, "which Spyhop has not written");
      }
      regions.add(name);
    }
    if (shared && !regions.isEmpty()) {
      requireOneOfOurs(regions);
    }
  }

  /**
   * One is enough: of a region that was split or dropped an hour ago the version without marks kept
   * the files, while HBase knows nothing of it any more.
   */
  private void requireOneOfOurs(List<String> regions) throws IOException {
    if (Collections.disjoint(hbase.regionsAndArchived(), regions)) {
      throw notOurs(
          regions.get(0),
          "files of a region that this cluster does not have, as are all others in it");
    }
  }

  private IOException notOurs(String name, String what) {
    return new IOException(
        root
            + " has no mark of this cluster ("
            + DirectoryMark.NAME
            + ") and holds '"
            + name
            + "', "
            + what
            + ": name an empty directory in "
            + ServerDirectory.ROOT
            + ", or delete this one if nobody else uses it; index files are built again");
  }

  static boolean isRegionName(String name) {
    return REGION.matcher(name).matches();
  }

  /** Whether it is a directory of index files of one region, and nothing else is in it. */
  boolean isRegion(FileStatus status) throws IOException {
    if (!status.isDirectory() || !isRegionName(status.getPath().getName())) {
      return false;
    }
    for (FileStatus file : list(status.getPath())) {
      if (!file.isFile() || !IndexDirectory.isIndexFile(file.getPath().getName())) {
        return false;
      }
    }
    return true;
  }

  private FileStatus[] list(Path directory) throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  /** Marks the directory, which must be there, if it is not yet. */
  void mark() throws IOException {
    if (DirectoryMark.read(fs, root).isEmpty()) {
      DirectoryMark.write(fs, root, hbase.clusterId());
    }
    requireMarked();
  }

  /** Fails if the directory does not have this cluster's mark. */
  void requireMarked() throws IOException {
    requireThisCluster(
        DirectoryMark.read(fs, root)
            .orElseThrow(() -> new IOException(root + " has no mark of this cluster")));
  }
}
