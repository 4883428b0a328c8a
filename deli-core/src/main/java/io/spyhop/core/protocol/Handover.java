package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/**
 * A master's message to region servers about a region that it is going to move.
 *
 * @param table the region's
 * @param region its encoded name
 * @param from where it is
 * @param holdMillis how long its writes are to be held up; 0 for not at all
 */
public record Handover(TableName table, String region, ServerName from, long holdMillis) {
  private static final int MAGIC = 0x5350484f; // SPHO
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(table.getNameAsString());
    out.writeUTF(region);
    RebalanceRequest.write(out, from);
    out.writeLong(holdMillis);
  }

  /** Reads the wire form. */
  public static Handover decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("handover", MAGIC, VERSION, bytes, Handover::read);
  }

  private static Handover read(DataInputStream in) throws IOException {
    return new Handover(
        RebalanceRequest.table(in), Frame.readUtf(in), RebalanceRequest.server(in), in.readLong());
  }
}
