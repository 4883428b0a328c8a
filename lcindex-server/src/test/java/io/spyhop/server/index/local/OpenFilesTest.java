package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index files keep what queries read of them while there is room, and no longer. */
class OpenFilesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final List<IndexDefinition> INDEXES = List.of(index("a"), index("b"));
  private static final long ANY = Long.MAX_VALUE;

  @TempDir java.nio.file.Path dir;
  private final Configuration conf = HBaseConfiguration.create();
  private int reads;
  private int open;

  private static IndexDefinition index(String name) {
    return IndexDefinition.builder(name)
        .column("f:" + name)
        .type(ValueType.LONG)
        .layout(Layout.CLUSTERING)
        .build();
  }

  @Test
  void nothingIsReadBeforeItIsAskedFor() throws IOException {
    List<IndexFile> files = files(new OpenFiles(ANY, ANY));
    assertThat(files).allMatch(f -> f.counts().rows() == 1 && f.cells() == 2);
    assertThat(files).allMatch(f -> INDEXES.contains(f.definition()));
    assertThat(reads).isZero();
  }

  @Test
  void definitionsAreShared() throws IOException {
    IndexFile file = files(new OpenFiles(ANY, ANY)).get(0);
    assertThat(file.definition()).isSameAs(INDEXES.get(0));
  }

  @Test
  void aFileIsReadOnce() throws IOException {
    IndexFile file = files(new OpenFiles(ANY, ANY)).get(0);
    query(file);
    int first = reads;
    query(file);
    assertThat(reads).as("reads").isEqualTo(first).isEqualTo(2);
    file.close();
    assertThat(open).as("open files").isZero();
  }

  @Test
  void theLastOneHasRoom() throws IOException {
    List<IndexFile> files = files(new OpenFiles(1, ANY));
    query(files.get(0));
    query(files.get(0));
    assertThat(reads).isEqualTo(2);
    query(files.get(1));
    assertThat(open).as("open files").isOne();
    query(files.get(0));
    assertThat(reads).isEqualTo(6);
  }

  @Test
  void descriptorsAreBounded() throws IOException {
    List<IndexFile> files = files(new OpenFiles(ANY, 1));
    for (int i = 0; i < 3; i++) {
      for (IndexFile f : files) {
        query(f);
        assertThat(open).as("open files").isOne();
      }
    }
  }

  @Test
  void aFileIsOpenAsLongAsItIsRead() throws IOException {
    List<IndexFile> files = files(new OpenFiles(1, 1));
    IndexFile first = files.get(0);
    assertThat(first.retain()).isTrue();
    try (RecordCursor records = first.records(IndexPair.everything(any(first), conf))) {
      query(files.get(1));
      assertThat(open).as("open files").isEqualTo(2);
      assertThat(records.next()).isTrue();
    }
    first.release();
    assertThat(open).as("open files").isOne();
  }

  @Test
  void anSFileThatWasExchangedIsNotBelieved() throws IOException {
    List<IndexFile> files = files(new OpenFiles(ANY, ANY));
    Files.copy(sfile(files.get(1)), sfile(files.get(0)), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> files.get(0).header()).isInstanceOf(CorruptIndexFileException.class);
  }

  private java.nio.file.Path sfile(IndexFile file) {
    return dir.resolve("region").resolve(SFile.name(file.ifile()));
  }

  private void query(IndexFile file) throws IOException {
    assertThat(file.retain()).isTrue();
    try (RecordCursor records = file.records(IndexPair.everything(any(file), conf))) {
      assertThat(records.next()).isTrue();
    } finally {
      file.release();
    }
  }

  private static BoundPredicate any(IndexFile file) {
    SchemaResolver columns = new SchemaResolver("t", IndexSchema.of(INDEXES), List.of("f"));
    return Binder.bind(Predicates.column(file.definition().name()).ge(0L), columns);
  }

  /** The files of both indexes as a region finds them that opens; nothing of them counts yet. */
  private List<IndexFile> files(OpenFiles openFiles) throws IOException {
    IndexDirectory directory = directory(openFiles);
    BuildSettings settings =
        new BuildSettings(conf, ColumnFamilyDescriptorBuilder.of(F), 1 << 20, 1 << 16);
    try (IndexBuilder builder =
        new IndexBuilder(directory, settings, "hfile", INDEXES, () -> false)) {
      for (PreparedFile f : builder.build(source())) {
        f.commit();
      }
    }
    List<IndexFile> files = directory(openFiles).load(INDEXES);
    reads = 0;
    return files.stream().sorted(Comparator.comparing(IndexFile::ifile)).toList();
  }

  private IndexDirectory directory(OpenFiles openFiles) throws IOException {
    return new IndexDirectory(
        counting(FileSystem.getLocal(conf).getRaw()),
        conf,
        new Path(dir.resolve("region").toUri()),
        new Path(dir.resolve("tmp").toUri()),
        openFiles);
  }

  private FileSystem counting(FileSystem local) {
    return new FilterFileSystem(local) {
      @Override
      public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        reads++;
        open++;
        return new FSDataInputStream(super.open(path, bufferSize)) {
          @Override
          public void close() throws IOException {
            open--;
            super.close();
          }
        };
      }
    };
  }

  private static CellSource source() {
    Iterator<Cell> cells =
        Stream.<Cell>of(
                new KeyValue(F, F, Bytes.toBytes("a"), 1, Bytes.toBytes(1L)),
                new KeyValue(F, F, Bytes.toBytes("b"), 1, Bytes.toBytes(2L)))
            .iterator();
    return new CellSource() {
      @Override
      public Cell next() {
        return cells.hasNext() ? cells.next() : null;
      }

      @Override
      public void shipped() {}

      @Override
      public void close() {}
    };
  }
}
