package io.spyhop.core.protocol;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;

/**
 * Entries on their way to the server of the index table's regions, and the answer
 * (docs/formats/region-messages.md). Stateless.
 */
public final class EntryBatch {
  /** In the message of a failure that says: not now, and not by another way either. */
  public static final String NO_MEMORY = "spyhop: no memory for entries";

  private static final int MAGIC = 0x53504542; // SPEB
  private static final int ANSWER = 0x53504541; // SPEA
  private static final int VERSION = 1;

  private EntryBatch() {}

  /**
   * The wire form of entries.
   *
   * @param puts each of one cell, as {@link Entry#put} makes them
   */
  public static byte[] encode(List<Put> puts) {
    return Frame.encode(MAGIC, VERSION, out -> Frame.writeList(out, puts, EntryBatch::write));
  }

  private static void write(DataOutputStream out, Put put) throws IOException {
    Cell cell = put.getFamilyCellMap().get(IndexTable.ENTRIES).get(0);
    Frame.writeBytes(out, put.getRow());
    out.writeLong(cell.getTimestamp());
    Frame.writeBytes(out, CellUtil.cloneValue(cell));
  }

  /** Reads {@link #encode}; the puts leave it to their writer to sync the log. */
  public static List<Put> decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "entry batch",
        MAGIC,
        VERSION,
        bytes,
        in -> Frame.readList(in, EntryPage.LEAST, EntryBatch::read));
  }

  private static Put read(DataInputStream in) throws IOException {
    byte[] row = Frame.readBytes(in);
    long timestamp = in.readLong();
    return new Put(row, true)
        .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, timestamp, Frame.readBytes(in))
        .setDurability(Durability.ASYNC_WAL);
  }

  /**
   * The wire form of an answer.
   *
   * @param refused which entries, counted from 0, have not been written, as their regions are
   *     elsewhere
   */
  public static byte[] encodeAnswer(List<Integer> refused) {
    return Frame.encode(
        ANSWER, VERSION, out -> Frame.writeList(out, refused, DataOutputStream::writeInt));
  }

  /** Reads {@link #encodeAnswer}. */
  public static List<Integer> decodeAnswer(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "answer to an entry batch",
        ANSWER,
        VERSION,
        bytes,
        in -> Frame.readList(in, Integer.BYTES, DataInputStream::readInt));
  }
}
