package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of an IFile, walked from anywhere, in every kind of memory that a block can be in. */
class IFileWalkTest {
  private static final int RECORDS = 3000;

  @TempDir java.nio.file.Path directory;
  private final Random random = new Random(11);
  private Configuration conf;
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    conf = HBaseConfiguration.create();
    conf.setInt("hfile.index.block.max.size", 512); // so that the block index has levels
    fs = FileSystem.getLocal(conf);
  }

  @ParameterizedTest
  @CsvSource({"heap, NONE", "heap, GZ", "pool, NONE", "pool, GZ", "cached, NONE", "cached, GZ"})
  void aWalkIsATailOfTheRecords(String memory, Compression.Algorithm compression)
      throws IOException {
    NavigableMap<byte[], List<String>> written = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    CheckedFile file = write(compression, written);
    IFileReader reader = new IFileReader(fs, file, Layout.CLUSTERING, cache(memory), conf);
    try {
      SpyhopCells all = reader.records(true);
      assertThat(all.first()).isTrue();
      assertThat(rest(all, true)).isEqualTo(tail(written, new byte[0]));
      for (int i = 0; i < 60; i++) {
        byte[] from = key();
        SpyhopCells records = reader.records(true);
        assertThat(rest(records, records.seek(from))).isEqualTo(tail(written, from));
      }
      goesOn(reader.records(true), written);
    } finally {
      reader.close(true);
    }
  }

  @ParameterizedTest
  @CsvSource({"heap", "pool", "cached"})
  void aDescendingWalkHasEachKeysRowsInTheirOrder(String memory) throws IOException {
    NavigableMap<byte[], List<String>> written = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    CheckedFile file = write(Compression.Algorithm.NONE, written);
    IFileReader reader = new IFileReader(fs, file, Layout.CLUSTERING, cache(memory), conf);
    try {
      assertThat(descending(reader, null, null)).isEqualTo(descending(written, null, null));
      for (int i = 0; i < 60; i++) {
        byte[] lower = random.nextInt(5) == 0 ? null : key();
        byte[] upper = random.nextInt(5) == 0 ? null : key();
        assertThat(descending(reader, lower, upper)).isEqualTo(descending(written, lower, upper));
      }
    } finally {
      reader.close(true);
    }
  }

  private static List<String> descending(IFileReader reader, byte[] lower, byte[] upper)
      throws IOException {
    SpyhopCells cells = reader.records(true);
    KeyRange range =
        new KeyRange(
            lower == null ? null : ValueKey.of(lower, true),
            upper == null ? null : ValueKey.of(upper, true));
    RecordWalk walk = new DescendingWalk(cells, List.of(range));
    List<String> records = new ArrayList<>();
    while (walk.next()) {
      records.add(record(cells));
    }
    return records;
  }

  private static List<String> descending(
      NavigableMap<byte[], List<String>> written, byte[] lower, byte[] upper) {
    List<String> records = new ArrayList<>();
    written
        .descendingMap()
        .forEach(
            (key, rows) -> {
              if ((lower == null || Bytes.compareTo(key, lower) >= 0)
                  && (upper == null || Bytes.compareTo(key, upper) <= 0)) {
                records.addAll(rows);
              }
            });
    return records;
  }

  /** As an IN of many values does. */
  private void goesOn(SpyhopCells records, NavigableMap<byte[], List<String>> written)
      throws IOException {
    TreeMap<byte[], Integer> keys = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < 500; i++) {
      keys.put(key(), i);
    }
    keys.put(Bytes.toBytes("zzz"), 0);
    keys.put(Bytes.toBytes("zzzz"), 0);
    for (byte[] key : keys.keySet()) {
      boolean found = records.seek(key);
      assertThat(found).isEqualTo(written.ceilingKey(key) != null);
      if (found) {
        assertThat(record(records)).isEqualTo(written.ceilingEntry(key).getValue().get(0));
        for (int more = random.nextInt(3); more > 0 && records.compareRow(key) <= 0; more--) {
          records.next();
        }
      }
    }
  }

  @Test
  void encodedBlocksAreRefused() throws IOException {
    Path path = new Path(directory.toUri());
    path = new Path(path, "encoded");
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, CacheConfig.DISABLED)
            .withPath(fs, path)
            .withFileContext(
                new HFileContextBuilder()
                    .withDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                    .withIncludesMvcc(false)
                    .build())
            .create()) {
      writer.append(
          new KeyValue(Bytes.toBytes("k"), IFileWriter.FAMILY, Bytes.toBytes("r"), new byte[9]));
      writer.appendFileInfo(IFileWriter.FORMAT, Bytes.toBytes(1));
      writer.appendFileInfo(IFileWriter.DICTIONARY, new ColumnDictionary().encode());
    }
    try (HFile.Reader reader = HFile.createReader(fs, path, CacheConfig.DISABLED, true, conf)) {
      assertThat(SpyhopCells.isPlain(reader)).isFalse();
    }
  }

  @Test
  void aCountStopsBehindItsLastKey() throws IOException {
    NavigableMap<byte[], List<String>> written = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    CheckedFile file = write(Compression.Algorithm.NONE, written);
    IFileReader reader = new IFileReader(fs, file, Layout.CLUSTERING, CacheConfig.DISABLED, conf);
    try {
      for (int i = 0; i < 100; i++) {
        byte[] lower = key();
        byte[] upper = key();
        if (Bytes.compareTo(lower, upper) <= 0) {
          long expected =
              written.subMap(lower, true, upper, true).values().stream()
                  .mapToLong(List::size)
                  .sum();
          assertThat(
                  reader.count(
                      ValueKey.of(lower, true), ValueKey.of(upper, true), Integer.MAX_VALUE))
              .isEqualTo(expected);
        }
      }
    } finally {
      reader.close(true);
    }
  }

  @Test
  void lengthsThatDoNotFitAreDamage() throws IOException {
    Path path = new Path(new Path(directory.toUri()), "foreign");
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, CacheConfig.DISABLED)
            .withPath(fs, path)
            .withFileContext(new HFileContextBuilder().withIncludesMvcc(true).build())
            .create()) {
      for (int i = 100; i < 200; i++) {
        KeyValue cell =
            new KeyValue(
                Bytes.toBytes("k" + i), IFileWriter.FAMILY, Bytes.toBytes("r"), new byte[9]);
        cell.setSequenceId(1);
        writer.append(cell);
      }
    }
    try (HFile.Reader reader = HFile.createReader(fs, path, CacheConfig.DISABLED, true, conf)) {
      SpyhopCells cells = new SpyhopCells(reader, false);
      assertThat(cells.first()).isTrue();
      assertThatThrownBy(() -> rest(cells, true))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no cell at byte");
    }
  }

  private CheckedFile write(
      Compression.Algorithm compression, NavigableMap<byte[], List<String>> written)
      throws IOException {
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
            .setBlocksize(700)
            .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
            .setCompressionType(compression)
            .build();
    TreeMap<String, byte[][]> records = new TreeMap<>();
    for (int i = 0; i < RECORDS; i++) {
      byte[] key = key();
      byte[] row = Bytes.toBytes("row" + random.nextInt(100_000));
      byte[] value = new byte[9 + random.nextInt(100)];
      random.nextBytes(value);
      records.put(Bytes.toString(key) + "|" + Bytes.toString(row), new byte[][] {key, row, value});
    }
    Path path = new Path(new Path(directory.toUri()), "f" + random.nextInt(1 << 30) + ".ifile");
    try (IFileWriter writer = new IFileWriter(fs, path, conf, family)) {
      for (byte[][] r : records.values()) {
        writer.append(r[0], 0, r[0].length, r[1], 0, r[1].length, r[2], 0, r[2].length);
        written
            .computeIfAbsent(r[0], k -> new ArrayList<>())
            .add(text(r[0], r[1], r[2], 0, r[2].length));
      }
      return writer.finish("hfile", Layout.CLUSTERING, new ColumnDictionary());
    }
  }

  /** Four letters of few, so that keys share records and prefixes. */
  private byte[] key() {
    byte[] key = new byte[4];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) ('a' + random.nextInt(6));
    }
    return key;
  }

  private CacheConfig cache(String memory) {
    return switch (memory) {
      case "heap" -> CacheConfig.DISABLED;
      case "cached" ->
          new CacheConfig(conf, null, new LruBlockCache(1 << 22, 1024), ByteBuffAllocator.HEAP);
      default -> {
        Configuration pooled = new Configuration(conf);
        pooled.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 256);
        pooled.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 64);
        pooled.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 0);
        yield new CacheConfig(conf, null, null, ByteBuffAllocator.create(pooled, true));
      }
    };
  }

  private static List<String> tail(NavigableMap<byte[], List<String>> written, byte[] from) {
    return written.tailMap(from, true).values().stream().flatMap(List::stream).toList();
  }

  private static List<String> rest(SpyhopCells records, boolean found) throws IOException {
    List<String> rest = new ArrayList<>();
    for (boolean more = found; more; more = records.next()) {
      rest.add(record(records));
    }
    return rest;
  }

  private static String record(SpyhopCells r) {
    byte[] key = Bytes.copy(r.array(), r.rowOffset(), r.rowLength());
    byte[] row = Bytes.copy(r.array(), r.qualifierOffset(), r.qualifierLength());
    return text(key, row, r.array(), r.valueOffset(), r.valueLength());
  }

  private static String text(byte[] key, byte[] row, byte[] b, int off, int len) {
    return Bytes.toString(key) + "|" + Bytes.toString(row) + "|" + Bytes.toHex(b, off, len);
  }
}
