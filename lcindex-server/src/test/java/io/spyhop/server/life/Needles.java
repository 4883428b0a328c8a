package io.spyhop.server.life;

import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.PresentFiles;
import io.spyhop.server.testing.TestCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/** Marks that one table's cells begin with, and a search for them in all files of a cluster. */
final class Needles {
  private static final byte[] F = Bytes.toBytes("f");

  /** Bytes of a number that are the same in all rows. */
  private static final int PREFIX = 6;

  /** The log is encrypted or not as the operator wants it, and HBase's matter. */
  private static final Set<String> LOGS = Set.of("WALs", "oldWALs");

  private final String name;
  private final long number;
  private final Map<String, String> needles;

  /**
   * @param name what rows and texts begin with
   * @param number what numbers begin with; its last two bytes are 0
   */
  Needles(String name, long number) {
    this.name = name;
    this.number = number;
    String value = name + "Value";
    byte[] key = key(ValueType.STRING, Bytes.toBytes(value));
    byte[] stored = Bytes.toBytes(number);
    needles =
        Map.of(
            "row", name + "Row",
            "value", value,
            "value key", text(Arrays.copyOf(key, value.length())),
            "number", text(Arrays.copyOf(stored, PREFIX)),
            "number key", text(Arrays.copyOf(key(ValueType.LONG, stored), PREFIX)));
  }

  /** In the form that is ordered like values: of text, its bits are moved. */
  private static byte[] key(ValueType type, byte[] stored) {
    return type.codec().key(stored, 0, stored.length).bytes();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /**
   * A row.
   *
   * @param version tells its values from those of others
   */
  Put put(int row, int version) {
    int value = version * 100 + row;
    return new Put(Bytes.toBytes(String.format("%sRow%04d", name, row)))
        .addColumn(
            F, Bytes.toBytes("name"), Bytes.toBytes(String.format("%sValue%04d", name, value)))
        .addColumn(F, Bytes.toBytes("number"), Bytes.toBytes(number + value));
  }

  /** What some bytes show, for example {@code row in meta}. */
  Set<String> in(String place, byte[] bytes) {
    Set<String> found = new TreeSet<>();
    String all = text(bytes);
    needles.forEach(
        (what, needle) -> {
          if (all.contains(needle)) {
            found.add(what + " in " + place);
          }
        });
    return found;
  }

  /** What all files show that a cluster has written, in HBase's root and on local disks. */
  Set<String> in(TestCluster cluster) throws IOException {
    Set<String> found = new TreeSet<>();
    Path root = CommonFSUtils.getRootDir(cluster.util().getConfiguration());
    FileSystem fs = root.getFileSystem(cluster.util().getConfiguration());
    for (Path file : files(fs, root)) {
      found.addAll(in(place(file), read(fs, file)));
    }
    URI local = URI.create(cluster.util().getConfiguration().get("spyhop.ifile.dir"));
    for (java.nio.file.Path file : PresentFiles.below(java.nio.file.Path.of(local))) {
      String its = file.getFileName().toString();
      found.addAll(in(its.substring(its.lastIndexOf('.') + 1), Files.readAllBytes(file)));
    }
    return found;
  }

  /** The files below a directory that are there when it comes to them. */
  static List<Path> files(FileSystem fs, Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    FileStatus[] all;
    try {
      all = fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return files;
    }
    for (FileStatus f : all) {
      if (f.isFile()) {
        files.add(f.getPath());
      } else if (!LOGS.contains(f.getPath().getName())) {
        files.addAll(files(fs, f.getPath()));
      }
    }
    return files;
  }

  /** A file's bytes; none if it is gone. */
  static byte[] read(FileSystem fs, Path file) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return in.readAllBytes();
    } catch (FileNotFoundException e) {
      return new byte[0];
    }
  }

  private static String place(Path file) {
    String path = file.toUri().getPath();
    for (String directory : List.of(".spyhop-repair", ".spyhop-statistics", ".spyhop-ddl")) {
      if (path.contains("/" + directory + "/")) {
        return directory;
      }
    }
    if (path.contains("/hbase/meta/")) {
      return "meta";
    }
    return path.contains("/_spyhop.") ? "index table" : "other files";
  }
}
