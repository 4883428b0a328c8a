package io.spyhop.bench.dynahash;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.dynahash.Rows.Digest;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

class RowsTest {
  private static final int ROWS = 20_000;

  private static Digest read(List<Long> rows) {
    Digest digest = new Digest();
    for (long row : rows) {
      Put put = Rows.put(row);
      List<Cell> cells =
          put.getFamilyCellMap().get(Rows.FAMILY).stream()
              .sorted(CellComparator.getInstance())
              .toList();
      digest.add(put.getRow(), Result.create(cells));
    }
    return digest;
  }

  @Test
  void anyOrderIsTheSame() {
    List<Long> shuffled = Rows.shuffled(ROWS);
    assertThat(new HashSet<>(shuffled)).hasSize(ROWS);
    assertThat(shuffled).isNotEqualTo(shuffled.stream().sorted().toList());
    assertThat(read(shuffled)).isEqualTo(Rows.all(ROWS));
  }

  @Test
  void aRowTooManyOrTooFewIsSeen() {
    List<Long> all = Rows.shuffled(ROWS);
    assertThat(read(all.subList(1, ROWS))).isNotEqualTo(Rows.all(ROWS));
    Digest twice = read(all);
    twice.add(read(all.subList(0, 1)));
    assertThat(twice).isNotEqualTo(Rows.all(ROWS));
  }

  @Test
  void aQuestionFindsAFewPermille() {
    assertThat(Rows.asked(ROWS).toString()).matches("(6|7|8|9)\\d rows .*");
  }

  @Test
  void nobodyAsksForRowsThatAreApart() {
    long first = Rows.APART;
    assertThat(Rows.askedOf(first, first + ROWS)).isEqualTo(new Digest());
  }
}
