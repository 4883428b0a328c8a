package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The health of a master or region server, by its own account ({@code
 * docs/formats/region-messages.md}).
 *
 * @param release of Spyhop on the server
 * @param clock the server's, in milliseconds since the epoch
 * @param troubles what is wrong, in no particular order
 */
public record ServerHealth(String release, long clock, List<Trouble> troubles) {
  private static final int MAGIC = 0x5350484c; // SPHL
  private static final int VERSION = 1;

  /**
   * Something that is wrong.
   *
   * @param what in one line
   * @param remedy what to do about it, in one line
   */
  public record Trouble(String what, String remedy) {
    /** In one line. */
    @Override
    public String toString() {
      return what + ": " + remedy;
    }
  }

  /** Copies the troubles. */
  public ServerHealth {
    troubles = List.copyOf(troubles);
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(release);
    out.writeLong(clock);
    Frame.writeList(
        out,
        troubles,
        (to, t) -> {
          to.writeUTF(t.what);
          to.writeUTF(t.remedy);
        });
  }

  /** Reads the wire form. */
  public static ServerHealth decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("a server's health", MAGIC, VERSION, bytes, ServerHealth::read);
  }

  private static ServerHealth read(DataInputStream in) throws IOException {
    String release = Frame.readUtf(in);
    long clock = in.readLong();
    List<Trouble> troubles =
        Frame.readList(
            in, 2 * Frame.LEAST_UTF, t -> new Trouble(Frame.readUtf(t), Frame.readUtf(t)));
    return new ServerHealth(release, clock, troubles);
  }
}
