package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Asks a region of an index table for entries, {@code docs/formats/region-messages.md}.
 *
 * @param incarnation of the index that is meant
 * @param from first row of the index table, inclusive
 * @param to last row of the index table, exclusive; empty is no bound
 * @param before only entries with smaller timestamps
 * @param everyVersion whether all timestamps of a value and row are wanted, or only the newest
 * @param limit the most entries of the answer
 */
public record PageRequest(
    long incarnation, byte[] from, byte[] to, long before, boolean everyVersion, int limit) {
  private static final int MAGIC = 0x53505051; // SPPQ
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeLong(incarnation);
    Frame.writeBytes(out, from);
    Frame.writeBytes(out, to);
    out.writeLong(before);
    out.writeBoolean(everyVersion);
    out.writeInt(limit);
  }

  /** Reads the wire form. */
  public static PageRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("page request", MAGIC, VERSION, bytes, PageRequest::read);
  }

  private static PageRequest read(DataInputStream in) throws IOException {
    return new PageRequest(
        in.readLong(),
        Frame.readBytes(in),
        Frame.readBytes(in),
        in.readLong(),
        in.readBoolean(),
        in.readInt());
  }
}
