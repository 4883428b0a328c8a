package io.spyhop.server.index.local.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** {@link RowPairs} against a list of pairs. */
class RowPairsProperties {
  private record Pair(int row, int other) {
    Pair mirrored() {
      return new Pair(/* row= */ other, /* other= */ row);
    }
  }

  @Property(tries = 200)
  void handsOverTheRowsOfABlockWithTheirPairs(
      @ForAll long seed, @ForAll @IntRange(max = 300) int count, @ForAll boolean far)
      throws IOException {
    Random r = new Random(seed);
    List<Pair> pairs = new ArrayList<>();
    RowPairs.Builder builder = new RowPairs.Builder();
    int row = -1;
    int other = -1;
    boolean dense = r.nextInt(3) == 0;
    for (int i = 0; i < count; i++) {
      row += 1 + (dense ? 0 : r.nextInt(far ? 3 * ColumnBlock.MAX_ROWS : 9));
      other += 1 + r.nextInt(r.nextInt(9) == 0 ? 3 * ColumnBlock.MAX_ROWS : dense ? 1 : 9);
      pairs.add(new Pair(row, other));
      builder.add(block(row), in(row), block(other), in(other));
    }
    RowPairs built = builder.build();

    assertThat(built.count()).isEqualTo(count);
    check(built, pairs, row, r);
    check(built.mirrored(), pairs.stream().map(Pair::mirrored).toList(), other, r);
  }

  private static void check(RowPairs built, List<Pair> pairs, int last, Random r)
      throws IOException {
    for (int b = 0; b <= block(last) + 1; b++) {
      int number = b;
      List<Pair> inBlock = pairs.stream().filter(p -> block(p.row) == number).toList();
      long[] rows = built.rows(b);
      assertThat(rows == null ? 0 : RowBits.count(rows)).isEqualTo(inBlock.size());

      long[] among = RowBits.none(ColumnBlock.MAX_ROWS);
      List<Pair> wanted = inBlock.stream().filter(p -> r.nextBoolean()).toList();
      wanted.forEach(p -> RowBits.set(among, in(p.row)));
      List<Pair> found = new ArrayList<>();
      built.forEach(
          b,
          among,
          (row, block, otherRow) ->
              found.add(
                  new Pair(
                      number * ColumnBlock.MAX_ROWS + row,
                      block * ColumnBlock.MAX_ROWS + otherRow)));
      assertThat(found).isEqualTo(wanted);
    }
  }

  private static int block(int row) {
    return Math.floorDiv(row, ColumnBlock.MAX_ROWS);
  }

  private static int in(int row) {
    return Math.floorMod(row, ColumnBlock.MAX_ROWS);
  }
}
