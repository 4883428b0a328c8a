package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.schema.Layout;
import io.spyhop.server.testing.Layouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.HRegionLocation;

/** The index files of all servers, compared with the HFiles of the table. */
final class IndexFilesOnDisk {
  private static final Pattern NAME =
      Pattern.compile("(?<hfile>[0-9a-f]+)\\.(?<index>@?\\w+)\\.\\w+\\.(?<kind>ifile|sfile)");

  private IndexFilesOnDisk() {}

  /** A server's files that are being written. */
  static List<Path> temporary(CrashCluster cluster, int server) throws IOException {
    return list(cluster.indexes(server).resolve(".tmp"));
  }

  /** The region of each HFile of the table. */
  static Map<String, String> hfiles(CrashCluster cluster, CrashTable table) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (HRegionLocation l : table.locations()) {
      String region = l.getRegion().getEncodedName();
      String path = "/hbase/data/default/" + CrashTable.NAME + "/" + region + "/f";
      for (FileStatus s : cluster.files().listStatus(new org.apache.hadoop.fs.Path(path))) {
        if (s.isFile()) {
          files.put(s.getPath().getName(), region);
        }
      }
    }
    return files;
  }

  /**
   * Waits for the sweeps, then for nothing: what is left over for longer is a leak.
   *
   * @param patience longer than anything is kept that may be wanted soon
   */
  static void awaitNoneLeftOver(CrashCluster cluster, CrashTable table, Duration patience) {
    await("exactly one pair of index files for each HFile and index, on the region's server")
        .atMost(patience)
        .untilAsserted(() -> assertThat(present(cluster)).isEqualTo(wanted(cluster, table)));
  }

  private static List<String> indexes() {
    List<String> indexes = new ArrayList<>(CrashTable.INDEXES);
    if (Layouts.usual() == Layout.COLUMNAR) {
      indexes.add("@rows");
    }
    return indexes;
  }

  private static Set<String> wanted(CrashCluster cluster, CrashTable table) throws IOException {
    Map<String, String> servers = new TreeMap<>();
    for (HRegionLocation l : table.locations()) {
      servers.put(
          l.getRegion().getEncodedName(),
          l.getServerName().getHostname() + "," + l.getServerName().getPort());
    }
    Set<String> wanted = new TreeSet<>();
    for (int i = 0; i < cluster.size(); i++) {
      wanted.add(cluster.indexes(i).getFileName() + "/.lock");
      wanted.add(cluster.indexes(i).getFileName() + "/.spyhop-cluster");
    }
    hfiles(cluster, table)
        .forEach(
            (hfile, region) -> {
              for (String index : indexes()) {
                String place = servers.get(region) + "/" + region + "/" + hfile + " " + index;
                wanted.add(place + " ifile");
                wanted.add(place + " sfile");
              }
            });
    return wanted;
  }

  /** All files; those that are not named as they should be as they are. */
  private static Set<String> present(CrashCluster cluster) throws IOException {
    Set<String> present = new TreeSet<>();
    for (Path file : list(cluster.indexes())) {
      String path = cluster.indexes().relativize(file.getParent()).toString();
      Matcher m = NAME.matcher(file.getFileName().toString());
      String name =
          m.matches()
              ? m.group("hfile") + " " + m.group("index") + " " + m.group("kind")
              : file.getFileName().toString();
      if (!present.add(path + "/" + name)) {
        present.add(path + "/" + file.getFileName() + " once more");
      }
    }
    return present;
  }

  /** All files below a directory that may change meanwhile. */
  private static List<Path> list(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path p : entries.toList()) {
        if (Files.isDirectory(p)) {
          files.addAll(list(p));
        } else {
          files.add(p);
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return files;
  }
}
