package io.spyhop.server.index.global.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.seal.TableSeal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists and notes of encrypted families show nothing, and are read again. */
class SealedListTest {
  private static final String REGION = "0123abcd";
  private static final String MASTER = "hbase";

  private static final IndexDefinition INDEX =
      IndexDefinition.builder("a")
          .kind(IndexKind.GLOBAL)
          .column("f:a")
          .type(ValueType.STRING)
          .build();

  private static final StagedNote NOTE =
      new StagedNote(
          REGION,
          Bytes.toBytes("VisibleRow1"),
          Bytes.toBytes("VisibleRow9"),
          Bytes.toBytes("f"),
          new TreeSet<>(Set.of("hfile")),
          List.of(7L));

  @TempDir private java.nio.file.Path temp;
  private RepairDirectory plain;
  private RepairDirectory sealed;
  private RepairDirectory otherKey;

  @BeforeEach
  void open() throws IOException {
    FileSystem fs = FileSystem.getLocal(new Configuration(false)).getRaw();
    Path table = new Path(temp.toUri());
    plain = SealedDirectory.plain(fs, table);
    sealed = SealedDirectory.sealed(fs, table, MASTER);
    otherKey = SealedDirectory.sealed(fs, table, "another");
  }

  private static Entry entry(int i) {
    return new Entry(Bytes.toBytes("VisibleValue" + i), Bytes.toBytes("VisibleRow" + i), i);
  }

  private static Path write(RepairDirectory directory) throws IOException {
    RepairListWriter list = new RepairListWriter(directory, REGION, 2);
    for (int i = 0; i < 5; i++) {
      list.obsolete(INDEX, entry(i));
    }
    return list.finish().orElseThrow();
  }

  private static Path note(RepairDirectory directory) throws IOException {
    Path path = directory.newNote(REGION);
    NOTE.store(directory, path);
    return path;
  }

  private static List<Entry> read(RepairDirectory directory, Path path) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (RepairListReader list = new RepairListReader(directory, path)) {
      for (EntryList e = list.next(); e != null; e = list.next()) {
        entries.addAll(e.entries());
      }
      assertThat(list.isTorn()).isFalse();
    }
    return entries;
  }

  private static boolean isVisible(Path path) throws IOException {
    byte[] bytes = Files.readAllBytes(java.nio.file.Path.of(path.toUri().getPath()));
    return new String(bytes, StandardCharsets.ISO_8859_1).contains("Visible");
  }

  @Test
  void aListShowsNothing() throws IOException {
    assertThat(isVisible(write(plain))).isTrue();
    Path path = write(sealed);
    assertThat(isVisible(path)).isFalse();
    assertThat(read(sealed, path)).hasSize(5).contains(entry(0), entry(4));
  }

  @Test
  void aNoteShowsNothing() throws IOException {
    assertThat(isVisible(note(plain))).isTrue();
    Path path = note(sealed);
    assertThat(isVisible(path)).isFalse();
    assertThat(StagedNote.load(sealed, path).encode()).isEqualTo(NOTE.encode());
  }

  /** An older version wrote it, or the family was encrypted since. */
  @Test
  void whatIsPlainIsStillRead() throws IOException {
    assertThat(read(sealed, write(plain))).hasSize(5);
    assertThat(StagedNote.load(sealed, note(plain)).encode()).isEqualTo(NOTE.encode());
  }

  /** The family is not encrypted any more. */
  @Test
  void whatIsSealedIsStillRead() throws IOException {
    assertThat(read(plain, write(sealed))).hasSize(5);
    assertThat(StagedNote.load(plain, note(sealed)).encode()).isEqualTo(NOTE.encode());
  }

  /** It is not taken for one that a crash has cut, which is deleted. */
  @Test
  void aKeyThatIsGoneIsTriedAgain() throws IOException {
    Path list = write(sealed);
    Path note = note(sealed);
    try (RepairListReader reader = new RepairListReader(otherKey, list)) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(CorruptFrameException.class);
      assertThat(reader.isTorn()).isFalse();
    }
    assertThatThrownBy(() -> StagedNote.load(otherKey, note))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(CorruptFrameException.class);
  }

  @Test
  void damageOfASealedListIsNoticed() throws IOException {
    Path path = write(sealed);
    java.nio.file.Path file = java.nio.file.Path.of(path.toUri().getPath());
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    try (RepairListReader list = new RepairListReader(sealed, path)) {
      assertThat(list.next().entries()).hasSize(2);
      assertThat(list.next().entries()).hasSize(2);
      assertThat(list.next()).isNull();
      assertThat(list.isTorn()).isTrue();
    }
  }

  @Test
  void nothingIsWrittenOfAFamilyThatIsNotKnown() throws IOException {
    RepairDirectory unknown =
        new RepairDirectory(
            plain.fs(),
            new Path(temp.toUri()),
            new TableSeal(new Configuration(false), family -> null));
    RepairListWriter list = new RepairListWriter(unknown, REGION, 1);
    assertThatThrownBy(() -> list.obsolete(INDEX, entry(1))).hasMessageContaining("no such family");
    list.abandon();
    assertThatThrownBy(() -> NOTE.store(unknown, unknown.newNote(REGION)))
        .hasMessageContaining("no such family");
  }
}
