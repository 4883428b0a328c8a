package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.store.FileRun;
import io.spyhop.server.view.store.FileRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files built while an HFile is written are, byte for byte, those that are built by reading it. */
class StreamedFilesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final List<IndexDefinition> DEFINITIONS =
      RowsDefinition.with(
          List.of(
              IndexDefinition.builder("a")
                  .column("f:a")
                  .type(ValueType.LONG)
                  .layout(Layout.COLUMNAR)
                  .build(),
              IndexDefinition.builder("b")
                  .column("f:b")
                  .type(ValueType.STRING)
                  .layout(Layout.COLUMNAR)
                  .build()));

  @TempDir java.nio.file.Path dir;
  private final Configuration conf = HBaseConfiguration.create();
  private final MemoryBudget budget = new MemoryBudget(64 << 20);
  private FileSystem fs;
  private int runs;

  @BeforeEach
  void open() throws IOException {
    conf.setInt("hfile.index.block.max.size", 600); // an index of several levels
    fs = FileSystem.getLocal(conf).getRaw();
  }

  /** A form of the HFile. */
  private record Form(Algorithm compression, int blockSize, DataBlockEncoding encoding) {
    ColumnFamilyDescriptor family() {
      return ColumnFamilyDescriptorBuilder.newBuilder(F)
          .setBlocksize(blockSize)
          .setDataBlockEncoding(encoding)
          .build();
    }
  }

  private static List<Cell> cells(long seed, int rows) {
    Random random = new Random(seed);
    List<Cell> cells = new ArrayList<>();
    for (int r = 0; r < rows; r++) {
      byte[] row = Bytes.toBytes(String.format("%s%06d", "x".repeat(random.nextInt(3)), r));
      for (String column : List.of("a", "b", "wide")) {
        int versions = random.nextInt(10) == 0 ? random.nextInt(4) : 1;
        for (int v = 0; v < versions; v++) {
          KeyValue.Type type =
              random.nextInt(40) == 0 ? KeyValue.Type.DeleteColumn : KeyValue.Type.Put;
          byte[] value = type == KeyValue.Type.Put ? value(column, random) : new byte[0];
          long time = 1_000L + random.nextInt(3);
          KeyValue cell = new KeyValue(row, F, Bytes.toBytes(column), time, type, value);
          cell.setSequenceId(random.nextBoolean() ? random.nextInt(100) : random.nextInt());
          cells.add(cell);
        }
      }
    }
    cells.sort(CellComparator.getInstance());
    return cells;
  }

  private static byte[] value(String column, Random random) {
    return switch (column) {
      case "a" -> Bytes.toBytes((long) random.nextInt(1_000));
      case "b" -> Bytes.toBytes("text" + random.nextInt(20));
      default -> new byte[random.nextInt(200) == 0 ? 5_000 : random.nextInt(60)];
    };
  }

  /** All of them with tags, or but the first. */
  private static List<Cell> tagged(List<Cell> cells, boolean withFirst) {
    List<Cell> tagged = new ArrayList<>();
    for (Cell c : cells) {
      Tag tag = new ArrayBackedTag((byte) 77, Bytes.toBytes("t".repeat(tagged.size() % 5)));
      boolean first = tagged.isEmpty() && !withFirst;
      tagged.add(first ? c : PrivateCellUtil.createCell(c, List.of(tag)));
    }
    return tagged;
  }

  private HFile.Reader write(Form form, List<Cell> cells, boolean withTags) throws IOException {
    Path path = new Path(dir.resolve("hfile" + runs++).toString());
    CacheConfig cache = new CacheConfig(conf);
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, cache)
            .withPath(fs, path)
            .withFileContext(
                new HFileContextBuilder()
                    .withBlockSize(form.blockSize)
                    .withCompression(form.compression)
                    .withDataBlockEncoding(form.encoding)
                    .withIncludesMvcc(true)
                    .withIncludesTags(withTags)
                    .build())
            .create()) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
    }
    return HFile.createReader(fs, path, cache, true, conf);
  }

  private IndexDirectory directory(String name) {
    return new IndexDirectory(
        fs,
        conf,
        new Path(dir.resolve(name).toString()),
        new Path(dir.resolve(".tmp").toString()),
        new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  private BuildSettings settings(Form form) {
    return new BuildSettings(conf, form.family(), 1 << 20, 64 << 10);
  }

  private static Run run(HFile.Reader hfile) {
    return new Run("hfile", hfile.length(), hfile.getEntries(), 7, new long[0], new int[0]);
  }

  /** The contents of all files by index, built while the cells go by. */
  private List<String> streamed(Form form, List<Cell> cells, HFile.Reader hfile)
      throws IOException {
    String name = "streamed" + runs++;
    IndexDirectory directory = directory(name);
    try (StreamedFiles files =
        StreamedFiles.begin(directory, settings(form), DEFINITIONS, Optional.of(true), budget)
            .orElseThrow()) {
      for (Cell cell : cells) {
        files.add(cell);
      }
      return contents(name, files.finish(run(hfile), hfile));
    }
  }

  /** The same, built by reading. */
  private List<String> read(Form form, HFile.Reader hfile) throws IOException {
    String name = "read" + runs++;
    IndexDirectory directory = directory(name);
    try (FileRun run = FileRuns.discover(hfile, OptionalLong.empty());
        ColumnFileBuilder builder = new ColumnFileBuilder(directory, settings(form), DEFINITIONS)) {
      return contents(name, builder.build(run(hfile), run, () -> false));
    }
  }

  private List<String> contents(String name, List<PreparedFile> files) throws IOException {
    List<String> contents = new ArrayList<>();
    for (PreparedFile f : files) {
      String before = f.toString();
      IndexFile committed = f.commit();
      contents.add(before + ": " + committed.counts());
      committed.close();
    }
    try (Stream<java.nio.file.Path> all = Files.walk(dir.resolve(name))) {
      List<String> cells = new ArrayList<>();
      for (java.nio.file.Path p : all.filter(p -> p.toString().endsWith(".ifile")).toList()) {
        cells.add(contents(new Path(p.toString())));
      }
      cells.stream().sorted().forEach(contents::add);
    }
    return contents;
  }

  private String contents(Path path) throws IOException {
    StringBuilder text = new StringBuilder();
    try (HFile.Reader reader = HFile.createReader(fs, path, new CacheConfig(conf), true, conf)) {
      HFileScanner scanner = reader.getScanner(conf, false, false);
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        Cell cell = scanner.getCell();
        text.append(cell)
            .append(Bytes.toStringBinary(org.apache.hadoop.hbase.CellUtil.cloneValue(cell)))
            .append('\n');
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "NONE,65536,NONE,1,9000",
    "NONE,1000,NONE,2,9000",
    "GZ,4000,NONE,3,5000",
    "NONE,1,NONE,4,300",
    "GZ,100000000,NONE,5,900",
    "NONE,64,NONE,6,1",
    "NONE,65536,FAST_DIFF,7,9000",
    "GZ,1000,FAST_DIFF,8,9000",
    "NONE,2000,DIFF,9,5000",
    "NONE,2000,PREFIX,10,5000",
    "NONE,1,FAST_DIFF,11,300",
    "GZ,4000,ROW_INDEX_V1,12,9000",
    "NONE,65536,ROW_INDEX_V1,13,9000"
  })
  void areAsThoseOfReaders(
      Algorithm compression, int blockSize, DataBlockEncoding encoding, long seed, int rows)
      throws IOException {
    Form form = new Form(compression, blockSize, encoding);
    for (boolean withTags : List.of(false, true)) {
      List<Cell> cells = cells(seed, rows);
      assertSame(form, withTags ? tagged(cells, true) : cells, withTags);
    }
    assertThat(budget.used()).isZero();
  }

  private void assertSame(Form form, List<Cell> cells, boolean withTags) throws IOException {
    try (HFile.Reader hfile = write(form, cells, withTags)) {
      List<String> streamed = streamed(form, cells, hfile);
      assertThat(streamed).hasSize(2 * DEFINITIONS.size()).isEqualTo(read(form, hfile));
    }
    assertThat(budget.used()).isZero();
  }

  private List<String> definitions(
      Form form, List<Cell> cells, HFile.Reader hfile, Optional<Boolean> withSequences)
      throws IOException {
    try (StreamedFiles files =
        StreamedFiles.begin(directory("other"), settings(form), DEFINITIONS, withSequences, budget)
            .orElseThrow()) {
      for (Cell cell : cells) {
        files.add(cell);
      }
      List<String> names = new ArrayList<>();
      for (PreparedFile f : files.finish(run(hfile), hfile)) {
        names.add(f.definition().name());
        f.close();
      }
      return names;
    }
  }

  /** What is not as it was foretold costs the file of the rows, and nothing else. */
  @Test
  void rowsThatAreElsewhereAreNotBuilt() throws IOException {
    Form plain = new Form(Algorithm.NONE, 1_000, DataBlockEncoding.NONE);
    Form larger = new Form(Algorithm.NONE, 1_100, DataBlockEncoding.NONE);
    Form encoded = new Form(Algorithm.NONE, 1_000, DataBlockEncoding.FAST_DIFF);
    List<Cell> cells = cells(7, 500);
    try (HFile.Reader hfile = write(plain, cells, false)) {
      assertThat(definitions(plain, cells, hfile, Optional.of(true))).hasSize(3);
      assertThat(definitions(larger, cells, hfile, Optional.of(true))).containsExactly("a", "b");
      assertThat(definitions(plain, cells, hfile, Optional.of(false))).containsExactly("a", "b");
      assertThat(definitions(plain, cells, hfile, Optional.empty())).containsExactly("a", "b");
      assertThat(definitions(plain, cells.subList(1, cells.size()), hfile, Optional.of(true)))
          .isEmpty();
    }
    try (HFile.Reader hfile = write(plain, cells, true)) {
      assertThat(definitions(plain, cells, hfile, Optional.of(true))).containsExactly("a", "b");
    }
    List<Cell> late = tagged(cells, false);
    try (HFile.Reader hfile = write(plain, late, true)) {
      assertThat(definitions(plain, late, hfile, Optional.of(true))).containsExactly("a", "b");
    }
    try (HFile.Reader hfile = write(encoded, cells, false)) {
      assertThat(definitions(plain, cells, hfile, Optional.of(true))).containsExactly("a", "b");
    }
    assertThat(budget.used()).isZero();
  }

  /** A compaction may write cells without their sequence ids: of one block only its size tells. */
  @Test
  void aBlockOfAnotherSizeIsNoticed() throws IOException {
    Form form = new Form(Algorithm.GZ, 1 << 20, DataBlockEncoding.NONE);
    List<Cell> cells = cells(8, 100);
    List<Cell> before = new ArrayList<>();
    for (Cell cell : cells) {
      before.add(new KeyValue((KeyValue) cell));
      ((KeyValue) before.get(before.size() - 1)).setSequenceId(1_000_000);
    }
    try (HFile.Reader hfile = write(form, cells, false)) {
      assertThat(definitions(form, before, hfile, Optional.of(true))).containsExactly("a", "b");
    }
  }

  @Test
  void withoutMemoryThereAreNoRowsOrNothing() throws IOException {
    Form form = new Form(Algorithm.NONE, 1_000, DataBlockEncoding.NONE);
    List<Cell> cells = cells(9, 9_000);
    long atFirst = DEFINITIONS.size() * (512L << 10);
    long keys = 240 << 10;
    try (HFile.Reader hfile = write(form, cells, false)) {
      assertThat(budget.tryReserve((64 << 20) - atFirst - keys)).isTrue();
      assertThat(definitions(form, cells, hfile, Optional.of(true))).containsExactly("a", "b");
      assertThat(budget.tryReserve(keys - 1_000)).isTrue();
      assertThat(definitions(form, cells, hfile, Optional.of(true))).isEmpty();
      assertThat(budget.tryReserve(1_001)).isTrue();
      assertThat(
              StreamedFiles.begin(
                  directory("none"), settings(form), DEFINITIONS, Optional.of(true), budget))
          .isEmpty();
      assertThat(budget.used()).isEqualTo((64 << 20) - atFirst + 1);
    }
  }
}
