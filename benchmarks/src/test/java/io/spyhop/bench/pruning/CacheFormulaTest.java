package io.spyhop.bench.pruning;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CacheFormulaTest {
  @Test
  void isThePapers() {
    // 15 partitions of two columns of 4 bytes, each with a filter of 1,024 bits.
    assertThat(CacheFormula.bytes(15, new int[] {4, 4}, 1_024)).isEqualTo(15 * (16 + 256));
    assertThat(CacheFormula.bytes(3, new int[] {50}, 0)).isEqualTo(300);
    assertThat(CacheFormula.bytes(TpcdsTable.DATE_DIM, 15, 1_024)).isEqualTo(15 * (16 + 256));
    assertThat(CacheFormula.bytes(TpcdsTable.STORE, 1, 1_024)).isEqualTo(100 + 128);
  }

  @Test
  void thePapersTableHasEveryTable() {
    assertThat(CacheFormula.PAPER.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(TpcdsTable.values()).map(TpcdsTable::tableName).toList());
  }
}
