package io.spyhop.server.index.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

class KnownValuesTest {
  private static Cell cell(byte[] value, boolean onHeap) {
    KeyValue cell = new KeyValue(Bytes.toBytes("r"), Bytes.toBytes("f"), new byte[] {1}, value);
    if (onHeap) {
      return cell;
    }
    ByteBuffer outside = ByteBuffer.allocateDirect(cell.getLength() + 5);
    outside.position(5);
    outside.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
    return new ByteBufferKeyValue(outside, 5, cell.getLength(), 0);
  }

  /** Whatever it says to know was added, and the first value there is found wherever it is. */
  @Property
  void knowsNothingButWhatWasAdded(
      @ForAll @Size(max = 50) byte[][] added, @ForAll @Size(max = 50) byte[][] asked) {
    KnownValues known = new KnownValues();
    for (int i = 0; i < added.length; i++) {
      known.add(cell(added[i], i % 2 == 0));
      assertThat(known.contains(cell(added[0], i % 2 == 1))).isEqualTo(added[0].length <= 64);
    }
    for (byte[] value : asked) {
      boolean was = Arrays.stream(added).anyMatch(a -> Arrays.equals(a, value));
      assertThat(was || !known.contains(cell(value, true))).isTrue();
      assertThat(known.contains(cell(value, false))).isEqualTo(known.contains(cell(value, true)));
    }
  }
}
