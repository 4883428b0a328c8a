package io.spyhop.server.index.local.directory;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.local.BuildSettings;
import io.spyhop.server.index.local.CellSource;
import io.spyhop.server.index.local.CopiedFile;
import io.spyhop.server.index.local.IndexBuilder;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.OpenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes every kind of file in a directory of index files, in a process of its own because of its
 * umask, and prints each file's kind and mode, as seen at any time meanwhile.
 */
final class PrivateFilesRun {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 6_000;

  private final Path root;
  private final Set<String> seen = new TreeSet<>();

  private PrivateFilesRun(Path root) {
    this.root = root;
  }

  /** Argument: a directory with HBase's root in {@code hbase}. */
  public static void main(String[] args) throws IOException {
    Path dir = Path.of(args[0]);
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", dir.resolve("hbase").toUri().toString());
    PrivateFilesRun run = new PrivateFilesRun(dir.resolve("above/ifiles"));
    conf.set(ServerDirectory.ROOT, run.root.toUri().toString());
    ServerName server = ServerName.valueOf("host", 1, 1);
    try (ServerDirectory d =
        ServerDirectory.of(
            conf, server, new HBaseRoot(conf), new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE))) {
      d.ensureLocked();
      run.files(conf, d.region("0123456789abcdef0123456789abcdef"));
    }
    run.look();
    run.seen.forEach(System.out::println);
  }

  private void files(Configuration conf, IndexDirectory directory) throws IOException {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.of(F);
    BuildSettings settings = new BuildSettings(conf, family, 16 << 10, 1 << 16);
    IndexDefinition index = IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).build();
    IndexFile built;
    try (IndexBuilder builder =
        new IndexBuilder(directory, settings, "hfile", List.of(index), () -> false)) {
      built = builder.build(new Looking()).get(0).commit();
    }
    byte[] piece = new byte[5000];
    try (CopiedFile to = directory.newCopy(built.header());
        var from = built.open()) {
      for (int n = from.read(piece); n >= 0; n = from.read(piece)) {
        to.append(Bytes.copy(piece, 0, n));
        look();
      }
      to.commit("copied", family);
    }
  }

  /** Cells in no order of values, and a look at the files now and then. */
  private final class Looking implements CellSource {
    private final Random values = new Random(1);
    private int row;

    @Override
    public Cell next() throws IOException {
      if (row == ROWS) {
        return null;
      }
      if (row % 200 == 0) {
        look();
      }
      byte[] key = Bytes.toBytes(String.format("row%06d", row++));
      return new KeyValue(key, F, Bytes.toBytes("a"), 1, Bytes.toBytes(values.nextLong()));
    }

    @Override
    public void shipped() {}

    @Override
    public void close() {}
  }

  private void look() throws IOException {
    try (Stream<Path> all = Files.walk(root.getParent())) {
      for (Path p : all.toList()) {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(p));
        seen.add(kind(p) + " " + mode);
      }
    }
  }

  private static String kind(Path path) {
    String name = path.getFileName().toString();
    if (Files.isDirectory(path)) {
      return "directory";
    }
    String where = path.getParent().endsWith(ServerDirectory.TEMPORARY) ? "unfinished " : "";
    return where + (name.startsWith(".") ? name : name.substring(name.lastIndexOf('.')));
  }
}
