package io.spyhop.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wrong bit anywhere in what HBase reads when it opens an IFile is noticed. */
class TrailerDamageTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 400;
  private static final IndexDefinition INDEX =
      IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).build();
  private static final BoundPredicate ANY =
      Binder.bind(
          Predicates.column("a").ge(0L),
          new SchemaResolver("t", IndexSchema.of(List.of(INDEX)), List.of("f")));

  @TempDir Path dir;
  private final Configuration conf = HBaseConfiguration.create();

  private IndexDirectory directory() throws IOException {
    FileSystem fs = FileSystem.getLocal(conf).getRaw();
    return new IndexDirectory(
        fs,
        conf,
        new org.apache.hadoop.fs.Path(dir.resolve("region").toUri()),
        new org.apache.hadoop.fs.Path(dir.resolve("tmp").toUri()));
  }

  private SFile build() throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] row = Bytes.toBytes(String.format("row%04d", i));
      cells.add(new KeyValue(row, F, Bytes.toBytes("a"), 1, Bytes.toBytes((long) i)));
    }
    var family = ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(1024).build();
    BuildSettings settings = new BuildSettings(conf, family, 1 << 20, 1 << 16);
    try (IndexBuilder builder =
        new IndexBuilder(directory(), settings, "hfile", List.of(INDEX), () -> false)) {
      return builder.build(source(cells.iterator())).get(0).commit().header();
    }
  }

  private static CellSource source(Iterator<Cell> cells) {
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

  /** How many records there are, or -1 if the damage is noticed. */
  private int read() throws IOException {
    IndexFile file = directory().load().get(0);
    assertThat(file.retain()).isTrue();
    int records = 0;
    try (RecordCursor c =
        file.records(F, KeyRanges.ALL, ANY, null, CacheConfig.DISABLED, conf, false)) {
      while (c.next()) {
        records++;
      }
      return records;
    } catch (IOException e) {
      return -1;
    } finally {
      file.release();
      file.close();
    }
  }

  @Test
  void oneWrongBit() throws IOException {
    SFile header = build();
    assertThat(read()).isEqualTo(ROWS);
    Path path = dir.resolve("region").resolve(header.ifile());
    byte[] bytes = Files.readAllBytes(path);
    int start = bytes.length - header.tail().length();
    List<Integer> unnoticed = new ArrayList<>();
    for (int at = start; at < bytes.length; at += at < bytes.length - 4000 ? 1 : 97) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) (1 << at % 8);
      Files.write(path, damaged);
      if (read() != -1) {
        unnoticed.add(at - start);
      }
    }
    assertThat(unnoticed).isEmpty();
    Files.write(path, bytes);
    assertThat(read()).isEqualTo(ROWS);
  }
}
