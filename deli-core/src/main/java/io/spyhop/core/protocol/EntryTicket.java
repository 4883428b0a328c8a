package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;

/**
 * With what a client tells a region of the base table that the entry of a put is written already:
 * the region gives it before, the client attaches it to the put after the entry is acknowledged. It
 * counts as long as the region has stayed open and has deleted no entries since, so that nobody can
 * have taken the new one for a dangling one. Immutable, thread-safe.
 *
 * @param incarnation of the index
 * @param opening drawn when the region opened
 * @param removals how often entries of the region's rows have begun or ended to be deleted
 */
public record EntryTicket(long incarnation, long opening, long removals) {
  private static final int MAGIC = 0x53504554; // SPET
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          out.writeLong(incarnation);
          out.writeLong(opening);
          out.writeLong(removals);
        });
  }

  /** Reads the wire form. */
  public static EntryTicket decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "entry ticket",
        MAGIC,
        VERSION,
        bytes,
        in -> new EntryTicket(in.readLong(), in.readLong(), in.readLong()));
  }
}
