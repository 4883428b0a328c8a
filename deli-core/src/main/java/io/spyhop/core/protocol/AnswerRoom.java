package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.DecimalNumber;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * The bytes that one server may answer to a list of Gets, {@code docs/formats/region-messages.md}.
 * HBase bounds them on the server, but its client goes on asking until it has all of them. With
 * this a Get is answered by a mark where those before it have filled the room, and is asked for
 * again once they were used. Servers that do not know of it read all. Stateless.
 */
public final class AnswerRoom {
  private static final byte[] LATER = "spyhop:later".getBytes(StandardCharsets.US_ASCII);

  private AnswerRoom() {}

  /** Says how many bytes of rows the Gets before this one may have, in the answer of its server. */
  public static void bound(Get get, long bytes) {
    get.setAttribute(Attributes.ANSWER_ROOM, DecimalNumber.encode(bytes));
  }

  /**
   * Whether the Get is to be asked for again.
   *
   * @param before the bytes of the answer so far
   * @throws DoNotRetryIOException if what it says is no number
   */
  public static boolean isFull(Get get, long before) throws DoNotRetryIOException {
    byte[] room = get.getAttribute(Attributes.ANSWER_ROOM);
    if (room == null) {
      return false;
    }
    try {
      return before >= DecimalNumber.decode(room);
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException(
          "Spyhop: attribute " + Attributes.ANSWER_ROOM + " of a Get is no number", e);
    }
  }

  /** The mark. No family of a table has an empty name. */
  public static Cell later(byte[] row) {
    return new KeyValue(row, HConstants.EMPTY_BYTE_ARRAY, LATER, 1L, HConstants.EMPTY_BYTE_ARRAY);
  }

  /** Whether the answer is the mark. */
  public static boolean isLater(Result answer) {
    Cell[] cells = answer.rawCells();
    return cells != null
        && cells.length == 1
        && cells[0].getFamilyLength() == 0
        && CellUtil.matchingQualifier(cells[0], LATER);
  }
}
