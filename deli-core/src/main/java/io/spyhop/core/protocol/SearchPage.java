package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Entries of a search, and the rows of the base table that had all their entries before these were
 * read, {@code docs/formats/region-messages.md}.
 *
 * @param built rows of which the search finds all that match
 * @param page the entries
 */
public record SearchPage(BuiltRanges built, EntryPage page) {
  private static final int MAGIC = 0x53504650; // SPFP
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    Frame.writeBytes(out, built.encode());
    Frame.writeBytes(out, page.encode());
  }

  /** Reads the wire form. */
  public static SearchPage decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("search page", MAGIC, VERSION, bytes, SearchPage::read);
  }

  private static SearchPage read(DataInputStream in) throws IOException {
    return new SearchPage(
        BuiltRanges.decode(Frame.readBytes(in)), EntryPage.decode(Frame.readBytes(in)));
  }
}
