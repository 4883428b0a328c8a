package io.spyhop.server.query.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.index.local.StoredRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class EntryMergeTest {
  /** Pairs as {@code key/row}, with {@code !} if they are decided and {@code -} if dropped. */
  private static final class Pairs implements EntrySource, StoredRow {
    private final List<String> pairs;
    private int next;
    private String[] current;

    Pairs(String... pairs) {
      this.pairs = List.of(pairs);
    }

    @Override
    public boolean next() {
      if (next == pairs.size()) {
        return false;
      }
      current = pairs.get(next++).split("/", -1);
      return true;
    }

    private String name() {
      return current[1].replaceAll("[!-]", "");
    }

    @Override
    public byte[] keyArray() {
      return Bytes.toBytes(current[0]);
    }

    @Override
    public int keyOffset() {
      return 0;
    }

    @Override
    public int keyLength() {
      return current[0].length();
    }

    @Override
    public byte[] rowArray() {
      return Bytes.toBytes(name());
    }

    @Override
    public int rowOffset() {
      return 0;
    }

    @Override
    public int rowLength() {
      return name().length();
    }

    @Override
    public SourceVerdict.Verdict verdict() {
      return current[1].endsWith("!")
          ? SourceVerdict.Verdict.ANSWER
          : current[1].endsWith("-") ? SourceVerdict.Verdict.DROP : SourceVerdict.Verdict.READ;
    }

    @Override
    public StoredRow keep() {
      return this;
    }

    @Override
    public byte[] row() {
      return rowArray();
    }

    @Override
    public void unpack(List<Cell> out) {
      throw new AssertionError("nobody asks");
    }

    @Override
    public int heapSize() {
      return 0;
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }

  private static EntryMerge merge(boolean descending, Pairs... sources) {
    EntryMerge merge = new EntryMerge(descending);
    List.of(sources).forEach(merge::add);
    return merge;
  }

  private static List<String> merged(boolean descending, Pairs... sources) throws IOException {
    List<String> merged = new ArrayList<>();
    try (EntryMerge merge = merge(descending, sources)) {
      while (!merge.isOver()) {
        merge
            .take()
            .ifPresent(
                e ->
                    merged.add(
                        Bytes.toString(e.key())
                            + "/"
                            + Bytes.toString(e.row())
                            + (e.stored() == null ? "" : "!")));
      }
    }
    return merged;
  }

  @Test
  void pairsComeInOrderAndRowsAscendInBothDirections() throws IOException {
    assertThat(merged(false, new Pairs("1/a", "2/c"), new Pairs("1/b!", "3/a"), new Pairs()))
        .containsExactly("1/a", "1/b!", "2/c", "3/a");
    assertThat(merged(true, new Pairs("2/c", "1/a"), new Pairs("3/a", "1/b!")))
        .containsExactly("3/a", "2/c", "1/a", "1/b!");
  }

  @Test
  void whatSeveralSourcesHaveComesOnceAndIsRead() throws IOException {
    assertThat(merged(false, new Pairs("1/a!", "2/a!"), new Pairs("1/a!"), new Pairs("1/a-")))
        .containsExactly("1/a", "2/a!");
  }

  /** As of a row that is in the memstore and in HFiles without index files, with one value. */
  @Test
  void whatOneSourceHasSeveralTimesComesOnceAndIsRead() throws IOException {
    assertThat(merged(false, new Pairs("1/a!", "1/a!", "1/b", "1/b"), new Pairs("1/c!", "1/c-")))
        .containsExactly("1/a", "1/b", "1/c");
    assertThat(merged(true, new Pairs("2/a", "1/a-", "1/a-"), new Pairs("2/a", "2/a", "1/a")))
        .containsExactly("2/a", "1/a");
  }

  @Test
  void whatIsDroppedIsPassedOver() throws IOException {
    assertThat(merged(false, new Pairs("1/a-", "1/b!", "2/c-"))).containsExactly("1/b!");
  }

  @Test
  void theNextKeyIsKnownBeforeItIsTaken() throws IOException {
    try (EntryMerge merge = merge(false, new Pairs("1/a", "1/b", "2/a"))) {
      merge.take();
      assertThat(merge.goesOnWith(Bytes.toBytes("1"))).isTrue();
      merge.take();
      assertThat(merge.goesOnWith(Bytes.toBytes("1"))).isFalse();
    }
  }
}
