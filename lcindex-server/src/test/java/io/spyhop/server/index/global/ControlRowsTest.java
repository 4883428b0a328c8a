package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.filter.Filter;
import org.junit.jupiter.api.Test;

class ControlRowsTest {
  private static boolean isRead(String region, Row row) throws IOException {
    Filter filter = ControlRows.scanOf(region).getFilter();
    KeyValue cell = new KeyValue(row.getRow(), new byte[] {'c'}, new byte[0], new byte[0]);
    filter.filterRowKey(cell);
    return filter.filterCell(cell) == Filter.ReturnCode.INCLUDE;
  }

  /** The filter sorts its ranges in the list that it is given. */
  @Test
  void theEpochIsReadWithARegionsMarkAndNoLook() throws IOException {
    assertThat(isRead("0123456789abcdef0123456789abcdef", ControlRows.epoch())).isTrue();
    assertThat(isRead("0123456789abcdef0123456789abcdef", ControlRows.Look.get())).isFalse();
  }
}
