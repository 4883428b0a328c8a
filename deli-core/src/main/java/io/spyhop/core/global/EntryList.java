package io.spyhop.core.global;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Entries of one index, sent to a region of the base table or kept in a repair list.
 *
 * @param index the index's name
 * @param incarnation of the index that is meant
 * @param entries the entries
 */
public record EntryList(String index, long incarnation, List<Entry> entries) {
  private static final int MAGIC = 0x5350454C; // SPEL
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(index);
    out.writeLong(incarnation);
    EntryPage.writeEntries(out, entries);
  }

  /** Reads the wire form. */
  public static EntryList decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("entry list", MAGIC, VERSION, bytes, EntryList::read);
  }

  private static EntryList read(DataInputStream in) throws IOException {
    return new EntryList(Frame.readUtf(in), in.readLong(), EntryPage.readEntries(in));
  }
}
