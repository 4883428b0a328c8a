package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;

/**
 * Tells the master who is about to move buckets of a table, so that no two do at the same time.
 *
 * @param table the bucketed table
 * @param holder drawn for one run of one rebalance
 */
public record RebalanceClaim(TableName table, UUID holder) {
  private static final int MAGIC = 0x53505243; // SPRC
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(table.getNameAsString());
    out.writeLong(holder.getMostSignificantBits());
    out.writeLong(holder.getLeastSignificantBits());
  }

  /** Reads the wire form. */
  public static RebalanceClaim decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("rebalance claim", MAGIC, VERSION, bytes, RebalanceClaim::read);
  }

  private static RebalanceClaim read(DataInputStream in) throws IOException {
    return new RebalanceClaim(
        TableName.valueOf(Frame.readUtf(in)), new UUID(in.readLong(), in.readLong()));
  }
}
