package io.spyhop.core.value;

import static org.apache.hadoop.hbase.util.Order.ASCENDING;

import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/**
 * As {@code OrderedBytes.encodeBlobVar} writes it: header, then the content in groups of seven
 * bits, the first bit first, each in the low bits of a byte whose high bit is set but for the last;
 * the last group is filled up with zeros. No content is a zero byte.
 *
 * <p>The order of the stored bytes is <i>not</i> the order of the content (see {@link
 * OrderedKeys}); here content is compared.
 */
enum OrderedBlob implements BytesForm {
  INSTANCE;

  private static final int GROUP = 7;
  private static final int MORE = 0x80;
  private static final int PAYLOAD = 0x7f;

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    if (len < 2 || b[off] != OrderedFormat.BLOB_VAR) {
      return false;
    }
    for (int i = off + 1; i < off + len - 1; i++) {
      if ((b[i] & MORE) == 0) {
        return false;
      }
    }
    return isLast(b[off + len - 1], fillBits(len)) && (fillBits(len) < GROUP || len == 2);
  }

  /** How many bits of the last group are not content; all of them only if there is no content. */
  private static int fillBits(int len) {
    return (int) ((len - 1L) * GROUP % Byte.SIZE);
  }

  private static boolean isLast(byte group, int fillBits) {
    return (group & (MORE | ((1 << fillBits) - 1))) == 0;
  }

  @Override
  public int contentLength(byte[] b, int off, int len) {
    return (int) ((len - 1L) * GROUP / Byte.SIZE);
  }

  @Override
  public byte[] content(byte[] b, int off, int len, int limit) {
    byte[] content = new byte[Math.min(contentLength(b, off, len), limit)];
    for (int i = 0; i < content.length; i++) {
      content[i] = contentByte(b, off, i);
    }
    return content;
  }

  @Override
  public int compareContent(byte[] b, int off, int len, byte[] other) {
    int length = contentLength(b, off, len);
    for (int i = 0; i < Math.min(length, other.length); i++) {
      int c = Byte.compareUnsigned(contentByte(b, off, i), other[i]);
      if (c != 0) {
        return c;
      }
    }
    return Integer.compare(length, other.length);
  }

  /** The eight bits from bit {@code 8 * index} on, which lie in two groups. */
  private static byte contentByte(byte[] b, int off, int index) {
    long bit = (long) index * Byte.SIZE;
    int group = off + 1 + (int) (bit / GROUP);
    int bits = (b[group] & PAYLOAD) << GROUP | (b[group + 1] & PAYLOAD);
    return (byte) (bits >> (GROUP - 1 - (int) (bit % GROUP)));
  }

  @Override
  public byte[] write(byte[] content) {
    PositionedByteRange range =
        new SimplePositionedMutableByteRange(OrderedBytes.blobVarEncodedLength(content.length));
    OrderedBytes.encodeBlobVar(range, content, ASCENDING);
    return range.getBytes();
  }
}
