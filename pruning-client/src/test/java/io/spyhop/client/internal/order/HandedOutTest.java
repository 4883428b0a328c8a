package io.spyhop.client.internal.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class HandedOutTest {
  private static final int OF_A_ROW = 121;

  private static boolean add(HandedOut rows, String row) {
    return rows.add(Bytes.toBytes(row));
  }

  @Test
  void whatCameBeforeAScanWentOnIsKnownWhenThereIsNoMoreRoom() throws IOException {
    HandedOut rows = new HandedOut(new SortMemory(2 * OF_A_ROW));
    assertThat(add(rows, "a")).isTrue();
    assertThat(add(rows, "b")).isTrue();
    rows.resume(null);
    assertThat(add(rows, "c")).isTrue();
    assertThat(add(rows, "a")).isFalse();
    assertThat(add(rows, "b")).isFalse();
    assertThat(add(rows, "d")).isTrue();
    IOException cause = new IOException("moved");
    assertThatThrownBy(() -> rows.resume(cause)).hasCause(cause).hasMessageContaining("2 rows");
  }
}
