package io.spyhop.core.protocol;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.ServerTime;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Entries that the server of their regions is to delete, or not at all
 * (docs/formats/region-messages.md). The answer is that of an {@link EntryBatch}.
 *
 * @param fence which server, and until when
 * @param entries in the order of the index table
 */
public record EntryRemoval(ServerTime fence, List<Entry> entries) {
  private static final int MAGIC = 0x5350524D; // SPRM
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    fence.write(out);
    EntryPage.writeEntries(out, entries);
  }

  /** Reads the wire form. */
  public static EntryRemoval decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("entry removal", MAGIC, VERSION, bytes, EntryRemoval::read);
  }

  private static EntryRemoval read(DataInputStream in) throws IOException {
    return new EntryRemoval(ServerTime.read(in), EntryPage.readEntries(in));
  }
}
