package io.spyhop.core.protocol;

import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/**
 * Asks the master to rebalance a bucketed table.
 *
 * @param table the bucketed table
 * @param id drawn for one rebalance: who asks again with it asks how far that one is
 * @param staying the servers that shall have buckets
 * @param pause between two buckets: at least so long after one has moved, the next is closed; whole
 *     milliseconds, not negative and at most {@link Rebalance#MOST_PAUSE}
 */
public record RebalanceRequest(TableName table, UUID id, List<ServerName> staying, Duration pause) {
  private static final int MAGIC = 0x53505252; // SPRR
  private static final int VERSION = 1;

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if the pause is out of its bounds
   */
  public RebalanceRequest {
    staying = List.copyOf(staying);
    if (pause.isNegative() || pause.compareTo(Rebalance.MOST_PAUSE) > 0) {
      throw new IllegalArgumentException(
          "table '"
              + table
              + "': a rebalance may pause for 0 to "
              + Rebalance.MOST_PAUSE.toSeconds()
              + " s between two buckets, and not for "
              + pause);
    }
    pause = Duration.ofMillis(pause.toMillis());
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(table.getNameAsString());
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
    Frame.writeList(out, staying, RebalanceRequest::write);
    out.writeLong(pause.toMillis());
  }

  static void write(DataOutputStream out, ServerName server) throws IOException {
    out.writeUTF(server.getServerName());
  }

  /** Reads the wire form. */
  public static RebalanceRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("rebalance request", MAGIC, VERSION, bytes, RebalanceRequest::read);
  }

  static RebalanceRequest read(DataInputStream in) throws IOException {
    return new RebalanceRequest(
        table(in),
        new UUID(in.readLong(), in.readLong()),
        Frame.readList(in, Frame.LEAST_UTF, RebalanceRequest::server),
        pause(in));
  }

  private static Duration pause(DataInputStream in) throws IOException {
    long millis = in.readLong();
    if (millis < 0 || millis > Rebalance.MOST_PAUSE.toMillis()) {
      throw new CorruptFrameException("a pause of " + millis + " ms");
    }
    return Duration.ofMillis(millis);
  }

  static TableName table(DataInputStream in) throws IOException {
    String name = Frame.readUtf(in);
    try {
      return TableName.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new CorruptFrameException("'" + name + "' is no table's name");
    }
  }

  static ServerName server(DataInputStream in) throws IOException {
    String name = Frame.readUtf(in);
    if (!ServerName.isFullServerName(name)) {
      throw new CorruptFrameException("'" + name + "' is no server's name");
    }
    try {
      return ServerName.valueOf(name);
    } catch (IllegalArgumentException e) { // a port or a start code beyond all bounds
      throw new CorruptFrameException("'" + name + "' is no server's name");
    }
  }
}
