package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.view.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HFileRunTest {
  private static final int CELLS = 3_000;

  @TempDir java.nio.file.Path dir;
  private int files;

  @ParameterizedTest
  @CsvSource({
    "NONE, NONE, false, false, 65536",
    "NONE, NONE, true, true, 65536",
    "NONE, GZ, true, false, 65536",
    "NONE, NONE, true, true, 1024",
    "ROW_INDEX_V1, NONE, false, false, 65536",
    "ROW_INDEX_V1, NONE, true, true, 65536",
    "ROW_INDEX_V1, GZ, true, true, 65536",
    "ROW_INDEX_V1, NONE, false, true, 1024"
  })
  void givesTheCellsThatHBaseGivesAndTheBlocksBack(
      DataBlockEncoding encoding,
      Compression.Algorithm compression,
      boolean tags,
      boolean pooled,
      int bufferSize)
      throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, bufferSize);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 1000);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    ByteBuffAllocator buffers = ByteBuffAllocator.create(conf, pooled);
    CacheConfig cache = new CacheConfig(conf, null, null, buffers);
    Path path = write(conf, encoding, compression, tags);
    FileSystem fs = path.getFileSystem(conf);
    try (HFile.Reader reader = HFile.createReader(fs, path, cache, true, conf)) {
      List<KeyValue> expected = scan(reader, conf);
      int before = inUse(buffers);
      List<Long> positions = new ArrayList<>();
      HFileRun discovering = HFileRun.discover(reader, OptionalLong.empty());
      assertThat(walk(discovering, positions)).isEqualTo(expected);
      Run run = discovering.withBlocks(new Run("f", 1L << 40, CELLS, 1, new long[0], new int[0]));
      discovering.close();
      assertThat(run.offsets().length).isGreaterThan(10);

      HFileRun known = HFileRun.of(reader, true, OptionalLong.of(77), run);
      Random random = new Random(1);
      for (int i = 0; i < 500; i++) {
        int at = random.nextInt(expected.size());
        known.place(positions.get(at));
        assertSame(known.cell(), expected.get(at), 77);
        if (random.nextInt(20) == 0) {
          known.shipped();
        }
        known.next();
        assertThat(known.position()).isEqualTo(positions.get(at + 1));
      }
      known.place(positions.get(expected.size()));
      assertThat(known.cell()).isNull();
      known.close();
      assertThat(inUse(buffers)).isEqualTo(before);
    }
  }

  /** A block is looked up in the block cache once, and again when the cache has dropped it. */
  @ParameterizedTest
  @CsvSource({"NONE", "ROW_INDEX_V1"})
  void remembersBlocksAsLongAsTheCacheHasThem(DataBlockEncoding encoding) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    LruBlockCache blocks = new LruBlockCache(64 << 20, 8 << 10, true);
    CacheConfig cache = new CacheConfig(conf, null, blocks, ByteBuffAllocator.HEAP);
    Path path = write(conf, encoding, Compression.Algorithm.NONE, false);
    try (HFile.Reader reader =
        HFile.createReader(path.getFileSystem(conf), path, cache, true, conf)) {
      HFileRun discovering = HFileRun.discover(reader, OptionalLong.empty());
      List<Long> positions = new ArrayList<>();
      List<KeyValue> expected = walk(discovering, positions);
      Run run = discovering.withBlocks(new Run("f", 1L << 40, CELLS, 1, new long[0], new int[0]));
      discovering.close();
      RecentBlocks recent = new RecentBlocks(1L << 30);
      assertThat(walk(reader, blocks, recent, run)).isEqualTo(expected);
      assertThat(recent.get(path.getName(), run.offsets()[0]))
          .as("of a block that was not in the cache")
          .isNull();
      assertThat(walk(reader, blocks, recent, run)).isEqualTo(expected);
      long asked = blocks.getStats().getRequestCount();
      assertThat(walk(reader, blocks, recent, run)).isEqualTo(expected);
      assertThat(blocks.getStats().getRequestCount()).isEqualTo(asked);
      RecentBlocks.Block first = recent.get(path.getName(), run.offsets()[0]);
      blocks.evictBlocksByHfileName(path.getName());
      Awaitility.await("the block to be collected")
          .until(
              () -> {
                System.gc();
                return first.refersTo(null);
              });
      assertThat(walk(reader, blocks, recent, run)).isEqualTo(expected);
      assertThat(blocks.getStats().getRequestCount()).isGreaterThan(asked);
    } finally {
      blocks.shutdown();
    }
  }

  private static List<KeyValue> walk(
      HFile.Reader reader, BlockCache blocks, RecentBlocks recent, Run run) throws IOException {
    try (HFileRun known = HFileRun.of(reader, blocks, recent, true, OptionalLong.empty(), run)) {
      known.place(0);
      return walk(known, new ArrayList<>());
    }
  }

  private static int inUse(ByteBuffAllocator buffers) {
    return buffers.getUsedBufferCount() - buffers.getFreeBufferCount();
  }

  @Test
  void refusesWhatIsNotThere() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    Path path = write(conf, DataBlockEncoding.NONE, Compression.Algorithm.NONE, false);
    try (HFile.Reader reader =
        HFile.createReader(path.getFileSystem(conf), path, CacheConfig.DISABLED, true, conf)) {
      HFileRun discovering = HFileRun.discover(reader, OptionalLong.empty());
      walk(discovering, new ArrayList<>());
      Run run = discovering.withBlocks(new Run("f", 1L << 40, CELLS, 1, new long[0], new int[0]));
      discovering.close();
      try (HFileRun known = HFileRun.of(reader, true, OptionalLong.empty(), run)) {
        assertThatThrownBy(() -> known.place(1L << 50)).isInstanceOf(DamagedViewException.class);
        known.place(3);
        assertThatThrownBy(known::cell).isInstanceOf(IOException.class);
        known.place((1 << 20) - 1);
        assertThatThrownBy(known::cell).isInstanceOf(DamagedViewException.class);
      }
    }
  }

  private static List<KeyValue> walk(HFileRun run, List<Long> positions) throws IOException {
    List<KeyValue> cells = new ArrayList<>();
    for (Cell c = run.cell(); c != null; c = run.cell()) {
      positions.add(run.position());
      cells.add(copy(c));
      run.next();
      if (cells.size() % 100 == 0) {
        run.shipped();
      }
    }
    positions.add(run.position());
    return cells;
  }

  private static List<KeyValue> scan(HFile.Reader reader, Configuration conf) throws IOException {
    List<KeyValue> cells = new ArrayList<>();
    try (HFileScanner scanner = reader.getScanner(conf, false, true)) {
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        cells.add(copy(scanner.getCell()));
      }
    }
    assertThat(cells).hasSize(CELLS);
    return cells;
  }

  private static KeyValue copy(Cell cell) {
    KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
    copy.setSequenceId(cell.getSequenceId());
    return copy;
  }

  private static void assertSame(Cell cell, KeyValue expected, long sequence) {
    assertThat(copy(cell).getBuffer()).isEqualTo(expected.getBuffer());
    assertThat(CellUtil.matchingValue(cell, expected)).isTrue();
    assertThat(cell.getSequenceId()).isEqualTo(sequence);
  }

  /** Named by their number: some names have blocks that displace one another. */
  private Path write(
      Configuration conf,
      DataBlockEncoding encoding,
      Compression.Algorithm compression,
      boolean tags)
      throws IOException {
    Path path = new Path(dir.toUri().toString(), "x" + ++files);
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, CacheConfig.DISABLED, path.getFileSystem(conf))
            .withFilePath(path)
            .withBloomType(BloomType.ROW)
            .withMaxKeyCount(CELLS)
            .withFileContext(
                new HFileContextBuilder()
                    .withDataBlockEncoding(encoding)
                    .withCompression(compression)
                    .withBlockSize(8 << 10)
                    .withIncludesTags(tags)
                    .withIncludesMvcc(true)
                    .build())
            .build();
    Random random = new Random(5);
    for (int i = 0; i < CELLS; i++) {
      byte[] value = new byte[random.nextInt(100)];
      random.nextBytes(value);
      Tag[] own =
          tags && random.nextBoolean()
              ? new Tag[] {new ArrayBackedTag((byte) 70, Bytes.toBytes("tag" + i))}
              : new Tag[0];
      KeyValue cell =
          new KeyValue(
              Bytes.toBytes(String.format("row%06d", i / 3)),
              Bytes.toBytes("f"),
              Bytes.toBytes("q" + i % 3),
              i,
              value,
              own);
      cell.setSequenceId(random.nextInt(3) == 0 ? 0 : random.nextInt(1 << 20));
      writer.append(cell);
    }
    writer.appendMetadata(1, false);
    writer.close();
    return path;
  }
}
