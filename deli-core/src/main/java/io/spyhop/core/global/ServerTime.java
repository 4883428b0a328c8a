package io.spyhop.core.global;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A moment by the monotonic clock of one region server. On a delete of entries it is the fence: the
 * server must have made the delete by then, and no other server may (docs/decisions/0023).
 *
 * @param server the server with its start code, {@code host,port,startcode}
 * @param nanos by its clock, which means nothing to others
 */
public record ServerTime(String server, long nanos) {
  /** The attribute of a delete of entries that holds its fence. */
  public static final String FENCE = "spyhop.fence";

  private static final int MAGIC = 0x5350544D; // SPTM
  private static final int VERSION = 1;

  /** The moment that long after this one. */
  public ServerTime plus(long more) {
    return new ServerTime(server, nanos + more);
  }

  /** Whether this moment is before one of the same clock. */
  public boolean isBefore(long others) {
    return nanos - others < 0;
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  public void write(DataOutputStream out) throws IOException {
    out.writeUTF(server);
    out.writeLong(nanos);
  }

  /** Reads the wire form. */
  public static ServerTime decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("server time", MAGIC, VERSION, bytes, ServerTime::read);
  }

  public static ServerTime read(DataInputStream in) throws IOException {
    return new ServerTime(Frame.readUtf(in), in.readLong());
  }
}
