package io.spyhop.core.protocol;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * Asks the master to create or drop a global index.
 *
 * @param table the base table
 * @param index the definition
 * @param splits where to split the index table, rows of it, ascending; for creation alone
 */
public record GlobalIndexRequest(TableName table, IndexDefinition index, List<byte[]> splits) {
  private static final int MAGIC = 0x53504749; // SPGI
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(table.getNameAsString());
    out.writeUTF(index.name());
    out.writeUTF(index.text());
    Frame.writeList(out, splits, Frame::writeBytes);
  }

  /** Reads the wire form. */
  public static GlobalIndexRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("index request", MAGIC, VERSION, bytes, GlobalIndexRequest::read);
  }

  private static GlobalIndexRequest read(DataInputStream in) throws IOException {
    TableName table = TableName.valueOf(Frame.readUtf(in));
    IndexDefinition index = IndexDefinition.parse(Frame.readUtf(in), Frame.readUtf(in));
    return new GlobalIndexRequest(
        table, index, Frame.readList(in, Frame.LEAST_BYTES, Frame::readBytes));
  }
}
