package io.spyhop.server.index.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowSpanTest {
  private static byte[] longest(int last) {
    byte[] row = new byte[HConstants.MAX_ROW_LENGTH];
    Arrays.fill(row, (byte) 'r');
    row[row.length - 1] = (byte) last;
    return row;
  }

  @Test
  void aZeroFollowsMostKeys() {
    assertThat(RowSpan.behind(Bytes.toBytes("a"))).hasValue(new byte[] {'a', 0});
    assertThat(RowSpan.behind(new byte[0])).hasValue(new byte[1]);
  }

  /** HBase takes longer keys for keys of a negative length. */
  @Test
  void nothingIsAppendedToTheLongestKeys() {
    assertThat(RowSpan.behind(longest('a'))).hasValue(longest('b'));
    assertThat(RowSpan.behind(longest(127))).hasValue(longest(128));
    byte[] carried = Arrays.copyOf(longest(0), HConstants.MAX_ROW_LENGTH - 1);
    carried[carried.length - 1]++;
    assertThat(RowSpan.behind(longest(255))).hasValue(carried);
  }

  @Test
  void nothingFollowsTheLastKeyOfAll() {
    byte[] row = new byte[HConstants.MAX_ROW_LENGTH];
    Arrays.fill(row, (byte) 255);
    assertThat(RowSpan.behind(row)).isEmpty();
  }
}
