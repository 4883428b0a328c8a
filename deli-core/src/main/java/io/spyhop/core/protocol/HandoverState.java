package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The progress of a server with the index files of a region that is going to be moved to it.
 *
 * @param busy whether it is at it; then the figures are not final
 * @param files that it has fetched since it was last asked
 * @param bytes of these
 * @param missing that it should have and has not, as nobody has built them yet
 * @param failure what went wrong last, or empty
 */
public record HandoverState(boolean busy, int files, long bytes, int missing, String failure) {
  /** The failure of a server that can keep no index files at all: to ask again is in vain. */
  public static final String UNUSABLE = "no index files can be kept there";

  private static final int MAGIC = 0x53504853; // SPHS
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeBoolean(busy);
    out.writeInt(files);
    out.writeLong(bytes);
    out.writeInt(missing);
    out.writeUTF(failure);
  }

  /** Reads the wire form. */
  public static HandoverState decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("handover state", MAGIC, VERSION, bytes, HandoverState::read);
  }

  private static HandoverState read(DataInputStream in) throws IOException {
    return new HandoverState(
        in.readBoolean(), in.readInt(), in.readLong(), in.readInt(), Frame.readUtf(in));
  }
}
