package io.spyhop.core.value;

import static org.apache.hadoop.hbase.util.Order.ASCENDING;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.apache.hbase.thirdparty.com.google.common.base.Utf8;

/** As {@code OrderedBytes.encodeString} writes it: header, UTF-8 without a zero byte, zero byte. */
enum OrderedText implements BytesForm {
  INSTANCE;

  private static final int ENDS = 2;

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return len >= ENDS
        && b[off] == OrderedFormat.TEXT
        && indexOfEnd(b, off + 1, off + len) == off + len - 1
        && Utf8.isWellFormed(b, off + 1, len - ENDS);
  }

  private static int indexOfEnd(byte[] b, int from, int to) {
    int i = from;
    while (i < to && b[i] != OrderedFormat.TEXT_END) {
      i++;
    }
    return i;
  }

  @Override
  public int contentLength(byte[] b, int off, int len) {
    return len - ENDS;
  }

  @Override
  public byte[] content(byte[] b, int off, int len, int limit) {
    int start = off + 1;
    return Arrays.copyOfRange(b, start, start + Math.min(len - ENDS, limit));
  }

  @Override
  public int compareContent(byte[] b, int off, int len, byte[] other) {
    return Bytes.compareTo(b, off + 1, len - ENDS, other, 0, other.length);
  }

  @Override
  public byte[] write(byte[] content) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(content.length + ENDS);
    OrderedBytes.encodeString(range, new String(content, StandardCharsets.UTF_8), ASCENDING);
    return range.getBytes();
  }

  @Override
  public boolean canHold(byte[] content) {
    return indexOfEnd(content, 0, content.length) == content.length;
  }
}
