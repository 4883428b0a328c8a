package io.spyhop.server.index.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ColumnFinderTest {
  private final ColumnFinder finder =
      new ColumnFinder(
          Stream.of("", "ab", "abc", "cd")
              .map(q -> ColumnName.of(Bytes.toBytes("f"), Bytes.toBytes(q)))
              .map(c -> new StatisticsColumn(c, ValueType.STRING, BloomSize.OFF, false))
              .toList());

  /** The same cell in an array and in a buffer outside the heap. */
  private static List<Cell> cells(String qualifier) {
    KeyValue onHeap =
        new KeyValue(
            Bytes.toBytes("row"), Bytes.toBytes("f"), Bytes.toBytes(qualifier), Bytes.toBytes("v"));
    ByteBuffer outside = ByteBuffer.allocateDirect(onHeap.getLength() + 3);
    outside.position(3);
    outside.put(onHeap.getBuffer(), onHeap.getOffset(), onHeap.getLength());
    return List.of(onHeap, new ByteBufferKeyValue(outside, 3, onHeap.getLength(), 0));
  }

  private void assertFound(String qualifier, int column) {
    for (Cell c : cells(qualifier)) {
      assertThat(finder.find(c)).as(qualifier + " in " + c.getClass()).isEqualTo(column);
    }
  }

  @Test
  void findsColumnsByTheWholeQualifier() {
    assertFound("", 0);
    assertFound("ab", 1);
    assertFound("abc", 2);
    assertFound("cd", 3);
    assertFound("a", -1);
    assertFound("cc", -1);
    assertFound("abcd", -1);
    assertFound("zz", -1);
  }
}
