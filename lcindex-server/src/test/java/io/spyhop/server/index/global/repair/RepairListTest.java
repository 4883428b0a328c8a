package io.spyhop.server.index.global.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists on disk: bounded memory, nothing for nothing, torn tails, one owner. */
class RepairListTest {
  private static final String REGION = "0123abcd";

  private static final IndexDefinition A = index("a");
  private static final IndexDefinition B = index("b");

  @TempDir private java.nio.file.Path temp;
  private RepairDirectory directory;

  private static IndexDefinition index(String name) {
    return IndexDefinition.builder(name)
        .kind(IndexKind.GLOBAL)
        .column("f:" + name)
        .type(ValueType.STRING)
        .build();
  }

  @BeforeEach
  void open() throws IOException {
    FileSystem fs = FileSystem.getLocal(new Configuration(false)).getRaw();
    directory = SealedDirectory.plain(fs, new Path(temp.toUri()));
  }

  private static Entry entry(int i) {
    return new Entry(Bytes.toBytes("v" + i), Bytes.toBytes("r" + i), i);
  }

  private Path write(int entries, int buffer) throws IOException {
    RepairListWriter list = new RepairListWriter(directory, REGION, buffer);
    for (int i = 0; i < entries; i++) {
      list.obsolete(i % 2 == 0 ? A : B, entry(i));
    }
    return list.finish().orElseThrow();
  }

  private static List<Entry> read(RepairListReader list, List<Integer> sizes) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (EntryList e = list.next(); e != null; e = list.next()) {
      assertThat(e.incarnation()).isEqualTo((e.index().equals("a") ? A : B).incarnation());
      sizes.add(e.entries().size());
      entries.addAll(e.entries());
    }
    return entries;
  }

  @Test
  void everyEntryComesBack() throws IOException {
    List<Integer> sizes = new ArrayList<>();
    try (RepairListReader list = new RepairListReader(directory, write(25, 10))) {
      assertThat(read(list, sizes)).hasSize(25).contains(entry(0), entry(24));
      assertThat(list.isTorn()).isFalse();
    }
    assertThat(sizes).containsExactly(5, 5, 5, 5, 3, 2);
  }

  @Test
  void nothingMakesNoFile() throws IOException {
    RepairListWriter list = new RepairListWriter(directory, REGION, 10);
    assertThat(list.finish()).isEmpty();
    RepairListWriter abandoned = new RepairListWriter(directory, REGION, 1);
    abandoned.obsolete(A, entry(1));
    assertThat(directory.lists()).hasSize(1);
    abandoned.abandon();
    assertThat(directory.lists()).isEmpty();
  }

  @Test
  void aTornTailCostsTheTailOnly() throws IOException {
    Path whole = write(4, 2);
    byte[] bytes = new byte[(int) directory.fs().getFileStatus(whole).getLen()];
    try (FSDataInputStream in = directory.fs().open(whole)) {
      in.readFully(bytes);
    }
    int most = 0;
    for (int length = 0; length < bytes.length; length++) {
      Path torn = directory.newList(REGION);
      try (FSDataOutputStream out = directory.fs().create(torn)) {
        out.write(bytes, 0, length);
      }
      try (RepairListReader list = new RepairListReader(directory, torn)) {
        int entries = read(list, new ArrayList<>()).size();
        assertThat(entries).isBetween(most, 3);
        most = entries;
      }
    }
    assertThat(most).isEqualTo(3);
  }

  @Test
  void damageEndsTheList() throws IOException {
    Path path = write(4, 2);
    byte[] bytes = new byte[(int) directory.fs().getFileStatus(path).getLen()];
    try (FSDataInputStream in = directory.fs().open(path)) {
      in.readFully(bytes);
    }
    bytes[bytes.length / 2] ^= 1;
    try (FSDataOutputStream out = directory.fs().create(path, true)) {
      out.write(bytes);
    }
    try (RepairListReader list = new RepairListReader(directory, path)) {
      assertThat(read(list, new ArrayList<>())).hasSizeLessThan(4);
      assertThat(list.isTorn()).isTrue();
    }
  }

  @Test
  void aListIsAdoptedOnce() throws IOException {
    Path path = write(1, 1);
    assertThat(RepairDirectory.regionOf(path)).isEqualTo(REGION);
    Optional<Path> adopted = directory.adopt(path, "4567");
    assertThat(adopted.map(RepairDirectory::regionOf)).contains("4567");
    assertThat(directory.fs().exists(path)).isFalse();
  }
}
