package io.spyhop.client.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.FirstRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class FirstRowsStreamTest {
  private static final int FEW = 3;
  private static final byte[] F = {'f'};
  private static final ReadAhead AHEAD = new ReadAhead(64 << 20, 2 << 20);

  /** Whatever regions answer, all rows come once and in order. */
  @Property(tries = 300)
  void allRowsComeInOrder(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = random.nextInt(60); i > 0; i--) {
      rows.add(Bytes.toBytes("r" + random.nextInt(100)));
    }
    List<RowRange> parts = RowRange.ALL.cut(cuts(random));
    FirstRowsStream stream =
        new FirstRowsStream(parts, new Regions(rows, random), of -> scan(rows, of), AHEAD);
    assertThat(keys(stream)).containsExactlyElementsOf(rows.stream().map(Bytes::toString).toList());
  }

  private static NavigableSet<byte[]> cuts(Random random) {
    NavigableSet<byte[]> cuts = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = random.nextInt(6); i > 0; i--) {
      cuts.add(Bytes.toBytes("r" + random.nextInt(100)));
    }
    return cuts;
  }

  /** Rows before what is left to scan do not wait for it. */
  @Test
  void rowsBeforeTheRestNeedNoScan() throws IOException {
    NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    List.of("a1", "a2", "b1", "b2", "b3", "b4").forEach(r -> rows.add(Bytes.toBytes(r)));
    List<RowRange> parts = RowRange.ALL.cut(RowRangeTest.keys("b"));
    List<RowRange> scanned = new ArrayList<>();
    FirstRowsStream stream =
        new FirstRowsStream(
            parts,
            new Regions(rows, null),
            of -> {
              RowStream rest = scan(rows, of);
              return new RowStream() {
                @Override
                public Result next() throws IOException {
                  scanned.addAll(of);
                  return rest.next();
                }

                @Override
                public void close() {
                  rest.close();
                }
              };
            },
            AHEAD);
    for (String row : List.of("a1", "a2", "b1", "b2", "b3")) {
      assertThat(Bytes.toString(stream.next().getRow())).isEqualTo(row);
      assertThat(scanned).isEmpty();
    }
    assertThat(Bytes.toString(stream.next().getRow())).isEqualTo("b4");
    assertThat(stream.next()).isNull();
    stream.close();
    assertThat(stream.next()).isNull();
  }

  /** No scan can begin behind such rows. */
  @Test
  void veryLongRowsAreScanned() throws IOException {
    NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte last = 1; last <= 5; last++) {
      byte[] longest = new byte[HConstants.MAX_ROW_LENGTH];
      Arrays.fill(longest, (byte) 'x');
      longest[0] = last;
      rows.add(longest);
    }
    FirstRowsStream stream =
        new FirstRowsStream(
            List.of(RowRange.ALL), new Regions(rows, null), of -> scan(rows, of), AHEAD);
    assertThat(keys(stream)).hasSize(5).doesNotHaveDuplicates().isSorted();
  }

  /** Rows count as long as they wait; without room for them, none are asked for. */
  @Test
  void firstRowsCount() throws IOException {
    NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    List.of("a1", "b1", "c1").forEach(r -> rows.add(Bytes.toBytes(r)));
    List<RowRange> parts = RowRange.ALL.cut(RowRangeTest.keys("b", "c"));
    ReadAhead memory = new ReadAhead(4 << 20, 2 << 20);
    FirstRowsStream stream =
        new FirstRowsStream(parts, new Regions(rows, null), of -> scan(rows, of), memory);
    assertThat(stream.next()).isNotNull();
    long held = memory.used();
    assertThat(held).isBetween(1L, 1_000L);
    assertThat(stream.next()).isNotNull();
    assertThat(memory.used()).isEqualTo(held / 2);
    stream.close();
    assertThat(memory.used()).isZero();

    FirstRowsStream.Questions never =
        new FirstRowsStream.Questions() {
          @Override
          public Scan small(RowRange part, long bytes) {
            throw new AssertionError("there is no room");
          }

          @Override
          public List<Optional<FirstRows>> ask(List<Scan> scans) {
            throw new AssertionError("there is no room");
          }

          @Override
          public Result shape(Result row) {
            return row;
          }
        };
    ReadAhead little = new ReadAhead(100 << 10, 64 << 10);
    assertThat(keys(new FirstRowsStream(parts, never, of -> scan(rows, of), little))).hasSize(3);
    assertThat(little.used()).isZero();
  }

  private static List<String> keys(RowStream stream) throws IOException {
    List<String> keys = new ArrayList<>();
    for (Result row = stream.next(); row != null; row = stream.next()) {
      keys.add(Bytes.toString(row.getRow()));
    }
    return keys;
  }

  private static RowStream scan(NavigableSet<byte[]> rows, List<RowRange> ranges) {
    List<Result> found = new ArrayList<>();
    for (RowRange range : ranges) {
      assertThat(range.start().length).isLessThan(HConstants.MAX_ROW_LENGTH * 3 / 4);
      in(rows, range).forEach(row -> found.add(Result.create(cells(row))));
    }
    return RowStream.of(found);
  }

  private static NavigableSet<byte[]> in(NavigableSet<byte[]> rows, RowRange range) {
    NavigableSet<byte[]> from = rows.tailSet(range.start(), true);
    return range.stop().length == 0 ? from : from.headSet(range.stop(), false);
  }

  private static List<Cell> cells(byte[] row) {
    return List.of(new KeyValue(row, F, F, row));
  }

  /** Some do not answer, and some end early, if there is chance. */
  private record Regions(NavigableSet<byte[]> rows, Random random)
      implements FirstRowsStream.Questions {
    @Override
    public Scan small(RowRange part, long bytes) {
      return new Scan().withStartRow(part.start()).withStopRow(part.stop());
    }

    @Override
    public List<Optional<FirstRows>> ask(List<Scan> scans) {
      return scans.stream().map(this::answer).toList();
    }

    private Optional<FirstRows> answer(Scan scan) {
      List<List<Cell>> all =
          in(rows, new RowRange(scan.getStartRow(), scan.getStopRow())).stream()
              .map(FirstRowsStreamTest::cells)
              .toList();
      if (random != null && random.nextInt(4) == 0) {
        return Optional.empty();
      }
      int most = random != null && random.nextInt(4) == 0 ? random.nextInt(FEW) : FEW;
      boolean whole = all.size() <= most && (random == null || random.nextBoolean());
      return Optional.of(new FirstRows(all.subList(0, Math.min(most, all.size())), whole));
    }

    @Override
    public Result shape(Result row) {
      return row;
    }
  }
}
