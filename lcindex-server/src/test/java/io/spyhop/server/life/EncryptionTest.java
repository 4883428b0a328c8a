package io.spyhop.server.life;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.local.BuildSettings;
import io.spyhop.server.index.local.CellSource;
import io.spyhop.server.index.local.IndexBuilder;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.OpenFiles;
import io.spyhop.server.index.local.PreparedFile;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing of an encrypted family can be read in the files of its indexes. */
class EncryptionTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final byte[] F = IndexedTableFixture.F;
  private static final int ROWS = 300;

  /** What is looked for; keys in their order-preserving form are what SFiles hold. */
  private static final Map<String, byte[]> NEEDLES =
      Map.of(
          "row", Bytes.toBytes("VisibleRow"),
          "qualifier", Bytes.toBytes("VisibleQualifier"),
          "value", Bytes.toBytes("VisibleValue"),
          "key", key("VisibleName0000"));

  private static byte[] key(String name) {
    byte[] stored = Bytes.toBytes(name);
    return ValueType.STRING.codec().key(stored, 0, stored.length).bytes();
  }

  private static KeyValue cell(int row, String qualifier, String value) {
    return new KeyValue(
        Bytes.toBytes(String.format("VisibleRow%04d", row)),
        F,
        Bytes.toBytes(qualifier),
        1,
        Bytes.toBytes(String.format(value + "%04d", row)));
  }

  private static List<KeyValue> row(int row) {
    return List.of(cell(row, "VisibleQualifier", "VisibleValue"), cell(row, "name", "VisibleName"));
  }

  private static String kind(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** For example {@code key in sfile}. */
  private static Set<String> found(List<Path> files) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      NEEDLES.forEach(
          (what, needle) -> {
            if (indexOf(bytes, needle) >= 0) {
              found.add(what + " in " + kind(file));
            }
          });
    }
    return found;
  }

  private static int indexOf(byte[] bytes, byte[] needle) {
    for (int i = 0; i + needle.length <= bytes.length; i++) {
      if (Bytes.equals(bytes, i, needle.length, needle, 0, needle.length)) {
        return i;
      }
    }
    return -1;
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void indexFilesAreAsSecretAsTheFamily(Layout layout) throws IOException {
    try (IndexedTableFixture secret =
            new IndexedTableFixture(CLUSTER, layout, f -> f.setEncryptionType("AES"));
        IndexedTableFixture plain = new IndexedTableFixture(CLUSTER, layout, f -> f)) {
      for (IndexedTableFixture t : List.of(secret, plain)) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          List<KeyValue> cells = row(i);
          Put put = new Put(CellUtil.cloneRow(cells.get(0)));
          for (KeyValue c : cells) {
            put.add(c);
          }
          puts.add(put);
        }
        t.table().put(puts);
        t.flushAndIndex();
        agree(t);
      }
      assertThat(found(IndexFiles.of(CLUSTER, plain.region(), "")))
          .containsExactlyInAnyOrderElementsOf(
              layout == Layout.COLUMNAR
                  ? List.of("row in ifile", "key in ifile", "key in sfile")
                  : List.of(
                      "row in ifile",
                      "qualifier in ifile",
                      "value in ifile",
                      "key in ifile",
                      "key in sfile"));
      List<Path> files = IndexFiles.of(CLUSTER, secret.region(), "");
      assertThat(found(files)).isEmpty();
      CLUSTER.admin().disableTable(secret.name());
      CLUSTER.admin().enableTable(secret.name());
      agree(secret);
      Regions.awaitCovered(CLUSTER, secret.name());
      agree(secret);
      assertThat(IndexFiles.of(CLUSTER, secret.region(), ""))
          .as("files that can be read again are kept")
          .isEqualTo(files);
    }
  }

  private static void agree(IndexedTableFixture t) throws IOException {
    assertThat(t.agreed(column("name").between("VisibleName0010", "VisibleName0019"))).hasSize(10);
  }

  @Test
  void runsThatAreSpilledAreSecretToo(@TempDir Path dir) throws IOException {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(F);
    assertThat(foundInRuns(dir, family.build()))
        .containsExactlyInAnyOrder(
            "row in ifile", "qualifier in ifile", "value in ifile", "key in ifile");
    assertThat(foundInRuns(dir, family.setEncryptionType("AES").build())).isEmpty();
  }

  /** Builds with so little memory that all rows are in runs when the last cell has been read. */
  private static Set<String> foundInRuns(Path dir, ColumnFamilyDescriptor family)
      throws IOException {
    Configuration conf = CLUSTER.util().getConfiguration();
    FileSystem fs = FileSystem.getLocal(conf).getRaw();
    Path runs = dir.resolve("runs");
    IndexDirectory directory =
        new IndexDirectory(
            fs,
            conf,
            new org.apache.hadoop.fs.Path(dir.resolve("region").toUri()),
            new org.apache.hadoop.fs.Path(runs.toUri()),
            new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE));
    IndexDefinition name =
        IndexDefinition.builder("name").column("f:name").type(ValueType.STRING).build();
    Set<String> found = new TreeSet<>();
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      cells.addAll(row(i));
    }
    CellSource source =
        new CellSource() {
          private int next;

          @Override
          public Cell next() throws IOException {
            if (next == cells.size()) {
              found.addAll(found(IndexFiles.list(runs, "")));
              return null;
            }
            return cells.get(next++);
          }

          @Override
          public void shipped() {}

          @Override
          public void close() {}
        };
    try (IndexBuilder builder =
        new IndexBuilder(
            directory,
            new BuildSettings(conf, family, 1, 1 << 16),
            family.getEncryptionType() + "file",
            List.of(name),
            () -> false)) {
      for (PreparedFile f : builder.build(source)) {
        f.close();
      }
    }
    return found;
  }
}
