package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.damage.DamageTarget;
import io.spyhop.server.view.store.RecentBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.util.Bytes;

/** An IFile and its SFile, to be damaged: queries, merges and copies read them. */
public final class IndexPair {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 600;
  private static final IndexDefinition INDEX =
      IndexDefinition.builder("a")
          .column("f:a")
          .type(ValueType.LONG)
          .layout(Layout.CLUSTERING)
          .build();
  private static final SchemaResolver COLUMNS =
      new SchemaResolver("t", IndexSchema.of(List.of(INDEX)), List.of("f"));

  private final String name;
  private final Path dir;
  private final Configuration conf;
  private final ColumnFamilyDescriptor family;
  private final SFile header;
  private final List<String> records;
  private int reads;

  /** Builds the files; the name tells them from others. */
  public IndexPair(String name, Path dir, Configuration conf, ColumnFamilyDescriptor family)
      throws IOException {
    this.name = name;
    this.dir = dir;
    this.conf = conf;
    this.family = family;
    BuildSettings settings = new BuildSettings(conf, family, 1 << 20, 1 << 16);
    try (IndexBuilder builder =
        new IndexBuilder(directory(), settings, "hfile", List.of(INDEX), () -> false)) {
      header = builder.build(source()).get(0).commit().header();
    }
    records = query(directory().load(List.of()).get(0)).orElseThrow();
    assertThat(records).hasSize(ROWS);
  }

  private IndexDirectory directory() throws IOException {
    FileSystem fs = FileSystem.getLocal(conf).getRaw();
    return new IndexDirectory(
        fs,
        conf,
        new org.apache.hadoop.fs.Path(dir.resolve("region").toUri()),
        new org.apache.hadoop.fs.Path(dir.resolve("tmp").toUri()),
        new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  private static CellSource source() {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] row = Bytes.toBytes(String.format("row%04d", i));
      cells.add(new KeyValue(row, F, Bytes.toBytes("a"), 1, Bytes.toBytes(i * 37L % ROWS)));
      cells.add(new KeyValue(row, F, Bytes.toBytes("b"), 1, Bytes.toBytes("text" + i)));
    }
    Iterator<Cell> each = cells.iterator();
    return new CellSource() {
      @Override
      public Cell next() {
        return each.hasNext() ? each.next() : null;
      }

      @Override
      public void shipped() {}

      @Override
      public void close() {}
    };
  }

  /** What is damaged: the IFile and the SFile. */
  public List<DamageTarget> targets() throws IOException {
    return List.of(new Target(header.ifile()), new Target(SFile.name(header.ifile())));
  }

  private final class Target implements DamageTarget {
    private final Path file;
    private final byte[] whole;

    Target(String fileName) throws IOException {
      file = dir.resolve("region").resolve(fileName);
      whole = Files.readAllBytes(file);
    }

    @Override
    public String name() {
      return name + " " + file.getFileName();
    }

    @Override
    public byte[] whole() {
      return whole.clone();
    }

    @Override
    public boolean isNoticed(byte[] damaged) throws IOException {
      Files.write(file, damaged);
      try {
        return !isReadRight();
      } finally {
        Files.write(file, whole);
      }
    }
  }

  /** False if the damage was noticed by one who read all. */
  private boolean isReadRight() throws IOException {
    List<IndexFile> files = directory().load(List.of());
    if (files.isEmpty()) {
      return false;
    }
    IndexFile file = files.get(0);
    assertThat(file.retain()).isTrue();
    try {
      return switch (reads++ % 3) {
        case 0 -> isRight(query(file));
        case 1 -> isRight(merged(file));
        default -> isRight(copied(file));
      };
    } finally {
      file.release();
      file.close();
    }
  }

  private boolean isRight(Optional<List<String>> read) {
    read.ifPresent(r -> assertThat(r).isEqualTo(records));
    return read.isPresent();
  }

  /** All records of a clustering layout. */
  static RecordRequest everything(BoundPredicate predicate, Configuration conf) {
    byte[] none = {};
    return new RecordRequest(
        KeyRanges.ALL,
        predicate,
        null,
        none,
        none,
        null,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        true,
        new ReadSettings(CacheConfig.DISABLED, new RecentBlocks(0), conf, false));
  }

  /** All records as text, or nothing if the damage was noticed. */
  private Optional<List<String>> query(IndexFile file) {
    BoundPredicate any = Binder.bind(Predicates.column("a").ge(0L), COLUMNS);
    List<String> read = new ArrayList<>();
    try (RecordCursor c = file.records(everything(any, conf))) {
      while (c.next()) {
        List<Cell> cells = new ArrayList<>();
        c.keep().unpack(cells);
        StringBuilder record = new StringBuilder();
        for (Cell cell : cells) {
          record
              .append(cell)
              .append('=')
              .append(
                  Bytes.toStringBinary(
                      cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()));
        }
        read.add(record.toString());
      }
      return Optional.of(read);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<List<String>> merged(IndexFile file) throws IOException {
    BuildSettings settings = new BuildSettings(conf, family, 1 << 20, 1 << 16);
    IndexFile merged;
    try {
      merged =
          new IndexMerge(directory(), settings, "merged", INDEX, () -> false)
              .merge(List.of(file))
              .orElseThrow()
              .commit();
    } catch (IOException e) {
      return Optional.empty();
    }
    return readAndDrop(merged);
  }

  private Optional<List<String>> copied(IndexFile file) throws IOException {
    IndexFile copy;
    byte[] piece = new byte[5000];
    try (CopiedFile to = directory().newCopy(file.header());
        var from = file.open()) {
      for (int n = from.read(piece); n >= 0; n = from.read(piece)) {
        to.append(Bytes.copy(piece, 0, n));
      }
      copy = to.commit("copied", family);
    } catch (IOException e) {
      return Optional.empty();
    }
    return readAndDrop(copy);
  }

  /** What is made of a damaged file must be right; else it would be read after a restart. */
  private Optional<List<String>> readAndDrop(IndexFile made) throws IOException {
    Optional<List<String>> read = query(made);
    made.drop();
    assertThat(read).as("what is in the file that was made").isPresent();
    return read;
  }
}
