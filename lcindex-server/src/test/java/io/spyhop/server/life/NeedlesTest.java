package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.global.Entry;
import io.spyhop.core.value.ValueType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Marks that the test of files looks for are in tables and indexes. */
class NeedlesTest {
  private static final Needles NEEDLES = new Needles("Plain", 0x6b28d1ef4c3a0000L);

  private static byte[] entry(ValueType type, byte[] value, byte[] row) {
    return new Entry(type.codec().key(value, 0, value.length).bytes(), row, 1).indexRow();
  }

  @Test
  void entriesAndCellsShowThem() {
    Put put = NEEDLES.put(7, 4);
    byte[] name = value(put, "name");
    byte[] number = value(put, "number");
    assertThat(NEEDLES.in("row", put.getRow())).containsExactly("row in row");
    assertThat(NEEDLES.in("cell", name)).containsExactly("value in cell");
    assertThat(NEEDLES.in("cell", number)).containsExactly("number in cell");
    assertThat(NEEDLES.in("entry", entry(ValueType.STRING, name, put.getRow())))
        .containsExactlyInAnyOrder("row in entry", "value key in entry");
    assertThat(NEEDLES.in("entry", entry(ValueType.LONG, number, put.getRow())))
        .contains("row in entry", "number key in entry");
    assertThat(NEEDLES.in("nothing", new byte[100])).isEmpty();
  }

  private static byte[] value(Put put, String column) {
    return CellUtil.cloneValue(put.get(Bytes.toBytes("f"), Bytes.toBytes(column)).get(0));
  }
}
