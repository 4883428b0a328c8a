package io.spyhop.core.protocol;

import io.spyhop.core.global.Entry;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Asks a region of a base table to compare its cells with an index, {@code
 * docs/formats/region-messages.md}: either its own rows, whose entries may be missing, or given
 * entries, whose cells may be.
 *
 * @param index the index's name
 * @param incarnation of the index that is meant
 * @param repair whether to add what is missing and to delete what dangles
 * @param from the first row to look at, inclusive; only without entries
 * @param limit rows to look at; only without entries
 * @param entries the entries to look at
 */
public record VerifyRequest(
    String index, long incarnation, boolean repair, byte[] from, int limit, List<Entry> entries) {
  private static final int MAGIC = 0x53505651; // SPVQ
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(index);
    out.writeLong(incarnation);
    out.writeBoolean(repair);
    Frame.writeBytes(out, from);
    out.writeInt(limit);
    EntryPage.writeEntries(out, entries);
  }

  /** Reads the wire form. */
  public static VerifyRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("verify request", MAGIC, VERSION, bytes, VerifyRequest::read);
  }

  private static VerifyRequest read(DataInputStream in) throws IOException {
    return new VerifyRequest(
        Frame.readUtf(in),
        in.readLong(),
        in.readBoolean(),
        Frame.readBytes(in),
        in.readInt(),
        EntryPage.readEntries(in));
  }
}
