package io.spyhop.core.protocol;

import io.spyhop.core.global.Entry;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries of one index, sent to a region of the base table or kept in a repair list.
 *
 * @param index the index's name
 * @param incarnation of the index that is meant
 * @param entries the entries
 */
public record EntryList(String index, long incarnation, List<Entry> entries) {
  /** How many entries may be reported to a region in one call. */
  public static final int MOST_REPORTED = 10_000;

  /** How much memory those may take. */
  public static final long MOST_REPORTED_BYTES = 4 << 20;

  private static final int MAGIC = 0x5350454C; // SPEL
  private static final int VERSION = 1;

  /** How much memory the entries take, about. */
  public long bytes() {
    return entries.stream().mapToLong(Entry::bytes).sum();
  }

  /** The same entries in lists that may each be reported in one call. */
  public List<EntryList> parts() {
    return parts(MOST_REPORTED);
  }

  /**
   * The same, with fewer entries in each.
   *
   * @param most how many
   */
  public List<EntryList> parts(int most) {
    List<EntryList> parts = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < entries.size(); i++) {
      long size = entries.get(i).bytes();
      if (i > from && (i - from >= most || bytes + size > MOST_REPORTED_BYTES)) {
        parts.add(part(from, i));
        from = i;
        bytes = 0;
      }
      bytes += size;
    }
    if (from < entries.size()) {
      parts.add(part(from, entries.size()));
    }
    return parts;
  }

  private EntryList part(int from, int to) {
    return new EntryList(index, incarnation, entries.subList(from, to));
  }

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
