package io.spyhop.client.internal.query;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.util.Base64;

/**
 * The place in a query's rows where a page ends: docs/formats/page-token.md. Immutable if nobody
 * writes to its arrays.
 *
 * @param query of which query's rows; {@link #requireOf} compares
 * @param row the key of the last row
 * @param value the value that orders it, as it is stored; null in key order
 */
public record PageToken(long query, byte[] row, byte[] value) {
  private static final int MAGIC = 0x5350504B; // SPPK
  private static final int VERSION = 1;

  /** As text. */
  public String encode() {
    byte[] frame =
        Frame.encode(
            MAGIC,
            VERSION,
            out -> {
              out.writeLong(query);
              Frame.writeBytes(out, row);
              Frame.writeBytesOrNull(out, value);
            });
    return Base64.getUrlEncoder().withoutPadding().encodeToString(frame);
  }

  /**
   * The token of a text.
   *
   * @param what it is for, to name
   * @throws InvalidQueryException if it is none
   */
  public static PageToken decode(String text, String what) {
    try {
      return Frame.decode(
          "page token",
          MAGIC,
          VERSION,
          Base64.getUrlDecoder().decode(text),
          in -> new PageToken(in.readLong(), Frame.readBytes(in), Frame.readBytesOrNull(in)));
    } catch (CorruptFrameException | IllegalArgumentException e) {
      throw new InvalidQueryException(
          "this is no token of a page of " + what + ", or a damaged one: " + e.getMessage(), e);
    }
  }

  /**
   * Refuses a token of other rows.
   *
   * @throws InvalidQueryException if it is not of that query
   */
  public PageToken requireOf(long other, String what) {
    if (query != other) {
      throw new InvalidQueryException("the token is not of a page of " + what);
    }
    return this;
  }
}
