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
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Building, committing, loading and reading index files, without a cluster. */
class IndexBuilderTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final IndexDefinition A =
      IndexDefinition.builder("a")
          .column("f:a")
          .type(ValueType.LONG)
          .layout(Layout.CLUSTERING)
          .build();
  private static final IndexDefinition B =
      IndexDefinition.builder("b")
          .column("f:b")
          .type(ValueType.STRING)
          .layout(Layout.CLUSTERING)
          .build();
  private static final BoundPredicate ANY_A =
      Binder.bind(
          Predicates.column("a").ge(Long.MIN_VALUE),
          new SchemaResolver("t", IndexSchema.of(List.of(A, B)), List.of("f")));

  @TempDir java.nio.file.Path dir;
  private final Configuration conf = HBaseConfiguration.create();
  private FileSystem fs;
  private IndexDirectory directory;

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.getLocal(conf).getRaw();
    directory = directory();
  }

  private IndexDirectory directory() {
    return new IndexDirectory(
        fs,
        conf,
        new Path(dir.resolve("region").toString()),
        new Path(dir.resolve(".tmp").toString()),
        new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  private BuildSettings settings(long memory) {
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(F).setCompressionType(Algorithm.GZ).build();
    return new BuildSettings(conf, family, memory, 64 << 10);
  }

  private List<IndexFile> build(List<Cell> cells, long memory) throws IOException {
    return build("hfile", List.of(A, B), cells, memory);
  }

  private List<IndexFile> build(
      String hfile, List<IndexDefinition> definitions, List<Cell> cells, long memory)
      throws IOException {
    List<IndexFile> files = new ArrayList<>();
    try (IndexBuilder builder =
        new IndexBuilder(directory, settings(memory), hfile, definitions, () -> false)) {
      for (PreparedFile f : builder.build(source(cells))) {
        files.add(f.commit());
      }
    }
    return files;
  }

  private static CellSource source(List<Cell> cells) {
    Iterator<Cell> iterator = cells.iterator();
    return new CellSource() {
      @Override
      public Cell next() {
        return iterator.hasNext() ? iterator.next() : null;
      }

      @Override
      public void shipped() {}

      @Override
      public void close() {}
    };
  }

  private static List<Cell> randomCells(int rows, long seed) {
    Random r = new Random(seed);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      byte[] row = Bytes.toBytes(String.format("row%06d", i));
      if (r.nextInt(10) > 0) {
        cells.add(put(row, "a", 5 + r.nextInt(2), Bytes.toBytes((long) r.nextInt(1000) - 500)));
      }
      if (r.nextInt(20) == 0) {
        cells.add(put(row, "a", 3, Bytes.toBytes((long) r.nextInt(1000))));
      }
      cells.add(put(row, "b", 5, Bytes.toBytes("v" + r.nextInt(50))));
      if (r.nextInt(30) == 0) {
        cells.add(new KeyValue(row, F, Bytes.toBytes("c"), 5, KeyValue.Type.DeleteColumn));
      }
    }
    cells.sort(CellComparator.getInstance());
    return cells;
  }

  private static KeyValue put(byte[] row, String q, long ts, byte[] value) {
    return new KeyValue(row, F, Bytes.toBytes(q), ts, value);
  }

  private List<String> read(IndexFile file) throws IOException {
    List<String> records = new ArrayList<>();
    assertThat(file.retain()).isTrue();
    try (RecordCursor c = file.records(IndexPair.everything(ANY_A, conf))) {
      while (c.next()) {
        StringBuilder s = new StringBuilder();
        s.append(Bytes.toString(c.rowArray(), c.rowOffset(), c.rowLength()));
        if (!c.isComplex()) {
          List<Cell> cells = new ArrayList<>();
          c.keep().unpack(cells);
          cells.forEach(
              k -> s.append(' ').append(k).append('=').append(Bytes.toStringBinary(value(k))));
          s.append(" oldest ").append(c.oldestTimestamp());
        }
        records.add(s.toString());
      }
    }
    file.release();
    return records;
  }

  private static byte[] value(Cell c) {
    return Bytes.copy(c.getValueArray(), c.getValueOffset(), c.getValueLength());
  }

  @Test
  void spillingGivesTheSameFiles() throws IOException {
    List<Cell> cells = randomCells(5000, 7);
    List<IndexFile> inMemory = build(cells, Long.MAX_VALUE);
    List<IndexFile> spilled = build(cells, 200_000);
    for (int i = 0; i < 2; i++) {
      assertThat(read(spilled.get(i))).isEqualTo(read(inMemory.get(i))).hasSizeGreaterThan(4000);
      assertThat(spilled.get(i).header().statistics())
          .isEqualTo(inMemory.get(i).header().statistics());
    }
    try (var left = Files.list(dir.resolve(".tmp"))) {
      assertThat(left).as("temporary files left over").isEmpty();
    }
  }

  @Test
  void recordsAreSortedByValueThenRowAndHoldTheRow() throws IOException {
    List<Cell> cells = new ArrayList<>();
    cells.add(put(Bytes.toBytes("r1"), "a", 9, Bytes.toBytes(5L)));
    cells.add(put(Bytes.toBytes("r1"), "b", 7, Bytes.toBytes("x")));
    cells.add(put(Bytes.toBytes("r2"), "a", 9, Bytes.toBytes(-5L)));
    cells.add(put(Bytes.toBytes("r3"), "a", 9, Bytes.toBytes(5L)));
    cells.add(put(Bytes.toBytes("r3"), "a", 8, Bytes.toBytes(6L)));
    assertThat(read(build(cells, Long.MAX_VALUE).get(0)))
        .containsExactly(
            "r2 r2/f:a/9/Put/vlen=8/seqid=0=\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFB oldest 9",
            "r1 r1/f:a/9/Put/vlen=8/seqid=0=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05"
                + " r1/f:b/7/Put/vlen=1/seqid=0=x oldest 7",
            "r3",
            "r3");
  }

  @Test
  void statisticsCountWhatIsThere() throws IOException {
    List<Cell> cells = new ArrayList<>();
    cells.add(put(Bytes.toBytes("r1"), "a", 9, Bytes.toBytes(5L)));
    cells.add(put(Bytes.toBytes("r2"), "a", 9, new byte[] {1}));
    cells.add(put(Bytes.toBytes("r3"), "b", 9, new byte[] {1}));
    var s = build(cells, Long.MAX_VALUE).get(0).counts();
    assertThat(s.rows()).isEqualTo(3);
    assertThat(s.entries()).isEqualTo(1);
    assertThat(s.undecodable()).isEqualTo(1);
    assertThat(s.rowsWithout()).isEqualTo(1);
  }

  @Test
  void committedPairsAreLoadedAndLeftoversSwept() throws IOException {
    List<IndexFile> built = build(randomCells(100, 1), Long.MAX_VALUE);
    Files.createFile(dir.resolve("region/hfile2.a.0000.ifile"));
    IndexDirectory reopened = directory();
    assertThat(reopened.load(List.of())).hasSize(2).allMatch(f -> f.hfile().equals("hfile"));
    reopened.delete(reopened.differences(List.of()).leftovers());
    assertThat(dir.resolve("region/hfile2.a.0000.ifile")).doesNotExist();
    assertThat(reopened.load(List.of())).hasSize(2);
    built.get(0).drop();
    assertThat(directory().load(List.of())).hasSize(1);
  }

  @Test
  void aDirectoryThatDoesNotChangeIsNotListedAgain() throws IOException {
    AtomicInteger listings = new AtomicInteger();
    fs =
        new FilterFileSystem(FileSystem.getLocal(conf).getRaw()) {
          @Override
          public FileStatus[] listStatus(Path path) throws IOException {
            listings.incrementAndGet();
            return super.listStatus(path);
          }
        };
    directory = directory();
    List<IndexFile> built = build(randomCells(100, 1), Long.MAX_VALUE);
    Files.setLastModifiedTime(dir.resolve("region"), FileTime.fromMillis(1)); // long ago
    for (int i = 0; i < 32; i++) {
      assertThat(directory.differences(built).lost()).isEmpty();
      assertThat(listings).hasValue(Math.min(i + 1, 2));
    }
    assertThat(directory.differences(built).lost()).isEmpty();
    assertThat(listings).as("times can be set back").hasValue(3);
    java.nio.file.Path more = Files.createFile(dir.resolve("region/hfile2.a.0000.ifile"));
    for (int i = 0; i < 3; i++) {
      assertThat(directory.differences(built).leftovers()).hasSize(1);
    }
    Files.delete(more);
    Files.delete(dir.resolve("region").resolve(built.get(0).ifile()));
    assertThat(directory.differences(built).lost()).containsExactly(built.get(0));
    directory.delete(built.get(0).ifile());
    assertThat(directory.differences(built.subList(1, 2)))
        .isEqualTo(new IndexDirectory.Differences(List.of(), List.of()));
  }

  /** A file that could not be deleted is left over, though the directory is as it was. */
  @Test
  void whatCannotBeDeletedIsLeftOver() throws IOException {
    fs =
        new FilterFileSystem(FileSystem.getLocal(conf).getRaw()) {
          @Override
          public boolean delete(Path path, boolean recursive) throws IOException {
            throw new IOException("not now");
          }
        };
    directory = directory();
    List<IndexFile> built = build(randomCells(100, 1), Long.MAX_VALUE);
    for (int i = 0; i < 3; i++) {
      assertThat(directory.differences(built).leftovers()).isEmpty();
    }
    assertThatThrownBy(() -> directory.delete(built.get(0).ifile())).hasMessage("not now");
    assertThat(directory.differences(built.subList(1, 2)).leftovers()).hasSize(2);
  }

  /** Merging the files of parts that share no row gives what reading the whole gives. */
  @Test
  void mergedFilesAreAsBuiltOnes() throws IOException {
    List<Cell> cells = randomCells(3000, 11);
    List<List<Cell>> parts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Cell c : cells) {
      parts.get(Bytes.hashCode(CellUtil.cloneRow(c)) % 3 & 1).add(c);
    }
    parts.get(2).add(put(Bytes.toBytes("zz"), "A", 3, Bytes.toBytes("comes before a")));
    parts.get(2).add(put(Bytes.toBytes("zz"), "a", 3, Bytes.toBytes(17L)));
    List<Cell> all = new ArrayList<>(cells);
    all.addAll(parts.get(2));
    for (int i = 0; i < 2; i++) {
      List<IndexFile> inputs = new ArrayList<>();
      for (int p = 0; p < 3; p++) {
        inputs.add(build("part" + p, List.of(A, B), parts.get(p), 100_000).get(i));
      }
      IndexDefinition definition = i == 0 ? A : B;
      IndexFile built = build("all", List.of(A, B), all, Long.MAX_VALUE).get(i);
      long rows = all.stream().map(c -> Bytes.toString(CellUtil.cloneRow(c))).distinct().count();
      assertThat(IndexMerge.keptEverything(inputs, all.size(), rows)).isTrue();
      assertThat(IndexMerge.keptEverything(inputs, all.size() - 1, rows)).isFalse();
      assertThat(IndexMerge.keptEverything(inputs, all.size(), rows - 1)).isFalse();
      IndexFile merged =
          new IndexMerge(directory, settings(0), "all", definition, () -> false)
              .merge(inputs)
              .orElseThrow()
              .commit();
      assertThat(read(merged)).isEqualTo(read(built)).hasSizeGreaterThan(2000);
      assertThat(merged.header().statistics()).isEqualTo(built.header().statistics());
      assertThat(merged.cells()).isEqualTo(all.size());
    }
  }

  @Test
  void includedColumnsAloneAreStored() throws IOException {
    IndexDefinition narrow =
        IndexDefinition.builder("narrow")
            .column("f:a")
            .type(ValueType.LONG)
            .include(List.of(io.spyhop.core.schema.ColumnName.parse("f:c")))
            .build();
    List<Cell> cells =
        List.of(
            put(Bytes.toBytes("r1"), "a", 9, Bytes.toBytes(5L)),
            put(Bytes.toBytes("r1"), "b", 7, Bytes.toBytes("left out")),
            put(Bytes.toBytes("r1"), "c", 9, Bytes.toBytes("kept")),
            put(Bytes.toBytes("r2"), "a", 9, Bytes.toBytes(6L)),
            put(Bytes.toBytes("r2"), "b", 8, Bytes.toBytes("two")),
            put(Bytes.toBytes("r2"), "b", 7, Bytes.toBytes("versions")));
    List<IndexFile> built = build("hfile", List.of(A, narrow), cells, Long.MAX_VALUE);
    assertThat(read(built.get(1)))
        .containsExactly(
            "r1 r1/f:a/9/Put/vlen=8/seqid=0=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05"
                + " r1/f:c/9/Put/vlen=4/seqid=0=kept oldest 7",
            "r2");
    assertThat(read(built.get(0)).get(0)).contains("left out");
  }

  /** What a crash can leave behind: nothing of it counts as an index file. */
  @Test
  void everyCrashPointOfACommitLeavesNoPair() throws IOException {
    IndexFile file = build(randomCells(100, 1), Long.MAX_VALUE).get(0);
    java.nio.file.Path ifile = dir.resolve("region").resolve(file.ifile());
    java.nio.file.Path sfile =
        dir.resolve("region").resolve(file.ifile().replace(".ifile", ".sfile"));
    byte[] whole = Files.readAllBytes(sfile);
    for (int length = 0; length < whole.length; length += 13) {
      Files.write(sfile, java.util.Arrays.copyOf(whole, length));
      assertThat(directory().load(List.of())).as("SFile cut to %d bytes", length).hasSize(1);
    }
    Files.write(sfile, whole);
    assertThat(directory().load(List.of())).hasSize(2);
    Files.write(ifile, new byte[] {1}, StandardOpenOption.APPEND);
    assertThat(directory().load(List.of())).as("IFile of another length").hasSize(1);
    Files.delete(ifile);
    assertThat(directory().load(List.of())).as("SFile without IFile").hasSize(1);
  }

  @Test
  void damagedBlockIsNoticed() throws IOException {
    IndexFile file = build(randomCells(3000, 2), Long.MAX_VALUE).get(0);
    try (RandomAccessFile f =
        new RandomAccessFile(dir.resolve("region/" + file.ifile()).toFile(), "rw")) {
      f.seek(f.length() / 4);
      int b = f.read();
      f.seek(f.length() / 4);
      f.write(b ^ 0x40);
    }
    assertThatThrownBy(() -> read(file)).isInstanceOf(IOException.class);
  }

  @Test
  void droppedFilesGoWhenTheLastReaderReleases() throws IOException {
    IndexFile file = build(randomCells(10, 1), Long.MAX_VALUE).get(0);
    java.nio.file.Path ifile = dir.resolve("region").resolve(file.ifile());
    assertThat(file.retain()).isTrue();
    file.drop();
    assertThat(ifile).exists();
    assertThat(file.retain()).as("retain after drop").isFalse();
    file.release();
    assertThat(ifile).doesNotExist();
  }

  @Test
  void cancelledBuildLeavesNothing() throws IOException {
    try (IndexBuilder builder =
        new IndexBuilder(directory, settings(100_000), "hfile", List.of(A), () -> true)) {
      assertThatThrownBy(() -> builder.build(source(randomCells(2000, 1))))
          .isInstanceOf(CancellationException.class);
    }
    assertThat(directory().load(List.of())).isEmpty();
  }
}
