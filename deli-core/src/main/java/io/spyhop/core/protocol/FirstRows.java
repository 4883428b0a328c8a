package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A region's answer to {@link RegionRequest.Kind#ROWS}: the first rows of a scan ({@code
 * docs/formats/region-messages.md}). So a client asks all regions of a server in one call.
 *
 * @param rows the cells of each, in the order of the scan; each row is whole
 * @param whole whether there are no more rows of the scan without its limit, wherever they are
 */
public record FirstRows(List<List<Cell>> rows, boolean whole) {
  private static final int MAGIC = 0x53505257; // SPRW

  /** In answers of version 1 a part of the scan behind the region could be taken for read. */
  private static final int VERSION = 2;

  /** Asks for the first rows of a scan, as many as its limit says. */
  public static RegionRequest request(Scan scan) throws IOException {
    byte[] limit = Bytes.toBytes(scan.getLimit()); // HBase's form lacks it
    return new RegionRequest(
        RegionRequest.Kind.ROWS, Bytes.add(limit, ProtobufUtil.toScan(scan).toByteArray()));
  }

  /**
   * The scan that a request carries.
   *
   * @throws DoNotRetryIOException if it carries none, or one with a filter that cannot be made here
   */
  public static Scan scan(byte[] payload) throws DoNotRetryIOException {
    try {
      byte[] scan = Arrays.copyOfRange(payload, Integer.BYTES, payload.length);
      return ProtobufUtil.toScan(ClientProtos.Scan.parseFrom(scan)).setLimit(Bytes.toInt(payload));
    } catch (IOException | RuntimeException e) {
      throw new DoNotRetryIOException("a small scan cannot be read: " + e.getMessage(), e);
    }
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeBoolean(whole);
    Frame.writeList(out, rows, (o, row) -> Frame.writeList(o, row, FirstRows::writeCell));
  }

  /** Clients of scans get no tags either. */
  private static void writeCell(DataOutputStream out, Cell cell) throws IOException {
    Frame.writeBytes(out, CellUtil.cloneRow(cell));
    Frame.writeBytes(out, CellUtil.cloneFamily(cell));
    Frame.writeBytes(out, CellUtil.cloneQualifier(cell));
    out.writeLong(cell.getTimestamp());
    out.writeByte(cell.getType().getCode());
    Frame.writeBytes(out, CellUtil.cloneValue(cell));
  }

  /** Reads the wire form. */
  public static FirstRows decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("first rows", MAGIC, VERSION, bytes, FirstRows::read);
  }

  private static FirstRows read(DataInputStream in) throws IOException {
    boolean whole = in.readBoolean();
    return new FirstRows(Frame.readList(in, Integer.BYTES, FirstRows::readRow), whole);
  }

  private static List<Cell> readRow(DataInputStream in) throws IOException {
    List<Cell> row = Frame.readList(in, Integer.BYTES, FirstRows::readCell);
    if (row.isEmpty()) {
      throw new CorruptFrameException("a row has no cells");
    }
    return row;
  }

  /** HBase checks the lengths. */
  private static Cell readCell(DataInputStream in) throws IOException {
    return new KeyValue(
        Frame.readBytes(in),
        Frame.readBytes(in),
        Frame.readBytes(in),
        in.readLong(),
        readType(in),
        Frame.readBytes(in));
  }

  private static KeyValue.Type readType(DataInputStream in) throws IOException {
    KeyValue.Type type = KeyValue.Type.codeToType(in.readByte());
    if (type == KeyValue.Type.Minimum || type == KeyValue.Type.Maximum) {
      throw new CorruptFrameException("a cell has the type " + type + ", which none has");
    }
    return type;
  }
}
