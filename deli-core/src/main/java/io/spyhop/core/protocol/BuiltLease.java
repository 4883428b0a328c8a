package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The rows of a base table that have all their entries, and how long a server may go on believing
 * it, {@code docs/formats/region-messages.md}.
 *
 * @param nanos from when it was asked for on; 0 if no longer than that
 * @param built the rows
 */
public record BuiltLease(long nanos, BuiltRanges built) {
  private static final int MAGIC = 0x5350424c; // SPBL
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeLong(nanos);
    Frame.writeBytes(out, built.encode());
  }

  /** Reads the wire form. */
  public static BuiltLease decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("built lease", MAGIC, VERSION, bytes, BuiltLease::read);
  }

  private static BuiltLease read(DataInputStream in) throws IOException {
    return new BuiltLease(in.readLong(), BuiltRanges.decode(Frame.readBytes(in)));
  }
}
