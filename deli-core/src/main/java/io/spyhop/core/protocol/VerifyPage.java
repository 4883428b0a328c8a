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
 * The answer to a {@link VerifyRequest}.
 *
 * @param looked how many entries were looked at, or expected
 * @param wrong those that are missing, or that dangle
 * @param next the row to go on with, possibly of the next region; empty at the end of the table,
 *     and where entries were given
 */
public record VerifyPage(long looked, List<Entry> wrong, Optional<byte[]> next) {
  private static final int MAGIC = 0x53505650; // SPVP
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeLong(looked);
    EntryPage.writeEntries(out, wrong);
    out.writeBoolean(next.isPresent());
    if (next.isPresent()) {
      Frame.writeBytes(out, next.get());
    }
  }

  /** Reads the wire form. */
  public static VerifyPage decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("verify page", MAGIC, VERSION, bytes, VerifyPage::read);
  }

  private static VerifyPage read(DataInputStream in) throws IOException {
    return new VerifyPage(
        in.readLong(),
        EntryPage.readEntries(in),
        in.readBoolean() ? Optional.of(Frame.readBytes(in)) : Optional.empty());
  }
}
