package io.spyhop.server.life;

import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** The places of index files. */
final class IndexFiles {
  private IndexFiles() {}

  /** The directory of a server. */
  static Path directory(TestCluster cluster, ServerName server) {
    URI root = URI.create(cluster.util().getConfiguration().get("spyhop.ifile.dir"));
    return Path.of(root).resolve(server.getHostname() + "," + server.getPort());
  }

  /** The files of an open region, with names that end so. */
  static List<Path> of(TestCluster cluster, HRegion region, String suffix) throws IOException {
    String name = region.getRegionInfo().getEncodedName();
    return list(directory(cluster, cluster.serverOf(region)).resolve(name), suffix);
  }

  /** The files of a directory that may change meanwhile. */
  static List<Path> list(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(p -> p.toString().endsWith(suffix)).sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
