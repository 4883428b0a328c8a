package io.spyhop.core.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.value.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Entries that a cell can have, and lists of them in parts. */
class EntryTest {
  private static final byte[] KEY =
      ValueType.LONG.codec().key(Bytes.toBytes(7L), 0, Long.BYTES).bytes();
  private static final byte[] ROW = Bytes.toBytes("row");

  @Test
  void whatCellsCanHaveIsSound() {
    byte[] text = Bytes.toBytes("text");
    byte[] key = ValueType.STRING.codec().key(text, 0, text.length).bytes();
    assertThat(new Entry(KEY, ROW, 0).isSound()).isTrue();
    assertThat(new Entry(KEY, new byte[] {0}, Long.MAX_VALUE - 1).isSound()).isTrue();
    assertThat(new Entry(key, ROW, 1).isSound()).isTrue();
    assertThat(new Entry(new byte[] {1}, ROW, 1).isSound()).isTrue();
  }

  @Test
  void whatNoCellCanHaveIsNot() {
    byte[] all = Bytes.add(KEY, ROW);
    for (int cut = 0; cut <= all.length; cut++) {
      Entry e = new Entry(Arrays.copyOf(all, cut), Arrays.copyOfRange(all, cut, all.length), 1);
      assertThat(e.isSound()).as("cut at %s", cut).isEqualTo(cut == KEY.length);
    }
    assertThat(new Entry(null, ROW, 1).isSound()).isFalse();
    assertThat(new Entry(KEY, null, 1).isSound()).isFalse();
    assertThat(new Entry(KEY, ROW, -1).isSound()).isFalse();
    assertThat(new Entry(KEY, ROW, Long.MAX_VALUE).isSound()).isFalse();
    assertThat(new Entry(KEY, new byte[Entry.MAX_LENGTH], 1).isSound()).isFalse();
    assertThat(new Entry(new byte[] {1, 2}, ROW, 1).isSound()).isFalse();
    assertThat(new Entry(new byte[] {0x7f}, ROW, 1).isSound()).isFalse();
  }

  @Test
  void partsAreBoundedAndMakeTheWhole() {
    List<Entry> entries =
        Stream.of(20_000, 30_000, 10, 10, 10)
            .flatMap(n -> Stream.generate(() -> new Entry(KEY, new byte[n], n)).limit(100))
            .collect(Collectors.toList());
    List<EntryList> parts = new EntryList("i", 1, entries).parts(150);
    assertThat(parts).hasSizeGreaterThan(2);
    assertThat(parts).allMatch(p -> p.entries().size() <= 150);
    assertThat(parts).allMatch(p -> p.bytes() <= EntryList.MOST_REPORTED_BYTES);
    assertThat(parts.stream().flatMap(p -> p.entries().stream()))
        .containsExactlyElementsOf(entries);
    assertThat(new EntryList("i", 1, List.of()).parts()).isEmpty();
  }
}
