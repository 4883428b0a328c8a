package io.spyhop.core.protocol;

import io.spyhop.core.global.Entry;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Entries of an index table's region, in the order of its rows and newest first within one.
 *
 * @param entries the entries
 * @param next where to go on, a row of the index table, possibly of the next region; empty if the
 *     range has been read to its end
 */
public record EntryPage(List<Entry> entries, Optional<byte[]> next) {
  private static final int MAGIC = 0x53505047; // SPPG
  private static final int VERSION = 1;

  /** The bytes of an entry at least. */
  static final int LEAST = 2 * Frame.LEAST_BYTES + Long.BYTES;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    writeEntries(out, entries);
    out.writeBoolean(next.isPresent());
    if (next.isPresent()) {
      Frame.writeBytes(out, next.get());
    }
  }

  /** Writes a list of entries. */
  static void writeEntries(DataOutputStream out, List<Entry> entries) throws IOException {
    Frame.writeList(
        out,
        entries,
        (to, e) -> {
          Frame.writeBytes(to, e.valueKey());
          Frame.writeBytes(to, e.row());
          to.writeLong(e.timestamp());
        });
  }

  /** Reads a list of entries. */
  static List<Entry> readEntries(DataInputStream in) throws IOException {
    return Frame.readList(
        in,
        LEAST,
        from -> new Entry(Frame.readBytes(from), Frame.readBytes(from), from.readLong()));
  }

  /** Reads the wire form. */
  public static EntryPage decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("entry page", MAGIC, VERSION, bytes, EntryPage::read);
  }

  private static EntryPage read(DataInputStream in) throws IOException {
    List<Entry> entries = readEntries(in);
    return new EntryPage(
        entries, in.readBoolean() ? Optional.of(Frame.readBytes(in)) : Optional.empty());
  }
}
