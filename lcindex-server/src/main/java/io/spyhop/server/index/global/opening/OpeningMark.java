package io.spyhop.server.index.global.opening;

import io.spyhop.core.protocol.BuiltRanges.Range;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The mark of a region's opening, which a server with Spyhop writes into an index table, and writes
 * again at the close (docs/formats/index-table.md). Immutable, thread-safe.
 *
 * @param number its place among all marks of the region: a later one has a higher number
 * @param regionName the region's full name
 * @param range the region's rows
 * @param server where it is, or was, open
 * @param openSeqNum which opening there
 * @param isOpen false once it is about to close
 * @param closedAt the region's last sequence number after it has closed; 0 if not known
 * @param since notes of built rows with a lower number say nothing of these rows: not every write
 *     since was watched
 */
public record OpeningMark(
    long number,
    byte[] regionName,
    Range range,
    ServerName server,
    long openSeqNum,
    boolean isOpen,
    long closedAt,
    long since) {
  private static final int MAGIC = 0x53504F4D; // SPOM
  private static final int VERSION = 1;

  /** The encoded name within a region's name, before its last character. */
  private static final int MD5_LENGTH = 32;

  /** A sequence number that no opening has. */
  private static final long NO_OPENING = 0;

  /** The region's encoded name. */
  public String region() {
    return RegionInfo.encodeRegionName(regionName);
  }

  /** Whether it speaks of that opening. */
  public boolean isOf(ServerName where, long seqNum) {
    return server.equals(where) && openSeqNum == seqNum;
  }

  /** The mark that follows when the region is about to close. */
  public OpeningMark closing() {
    return new OpeningMark(
        number + 1, regionName, range, server, openSeqNum, false, closedAt, since);
  }

  /**
   * The mark that follows when the region has closed.
   *
   * @param seqNum the last one that it left
   */
  public OpeningMark closed(long seqNum) {
    return new OpeningMark(number + 2, regionName, range, server, openSeqNum, false, seqNum, since);
  }

  /**
   * The mark that follows when the region goes on without the index: nothing that follows goes by
   * it, and what was built is built again.
   */
  public OpeningMark forsaken() {
    return unknown(number + 3);
  }

  /** The mark of the same opening for which nothing counts that was noted so far. */
  public OpeningMark anew(long now) {
    long next = Math.max(now, number + 4);
    return new OpeningMark(next, regionName, range, server, openSeqNum, isOpen, closedAt, next);
  }

  /** A mark of no opening, which says nothing of what is open, or was. */
  public OpeningMark unknown(long number) {
    return new OpeningMark(number, regionName, range, server, NO_OPENING, false, 0, number);
  }

  /** Whether the region has closed, and left nothing that is to be recovered. */
  boolean hasClosed() {
    return !isOpen && closedAt > 0;
  }

  /** Whether it is of an opening at all. */
  boolean isOfOpening() {
    return openSeqNum != NO_OPENING;
  }

  /** The stored form, without the number. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    Frame.writeBytes(out, regionName);
    Frame.writeBytes(out, range.start());
    Frame.writeBytes(out, range.end());
    out.writeUTF(server.getServerName());
    out.writeLong(openSeqNum);
    out.writeBoolean(isOpen);
    out.writeLong(closedAt);
    out.writeLong(since);
  }

  /** Reads the stored form. */
  public static OpeningMark decode(long number, byte[] bytes) throws CorruptFrameException {
    return Frame.decode("opening mark", MAGIC, VERSION, bytes, in -> read(number, in));
  }

  /** HBase's reader of names trusts them. */
  private static ServerName serverOf(String name) throws CorruptFrameException {
    if (!ServerName.isFullServerName(name)) {
      throw new CorruptFrameException("'" + name + "' is no server");
    }
    return ServerName.valueOf(name);
  }

  private static OpeningMark read(long number, DataInputStream in) throws IOException {
    byte[] regionName = Frame.readBytes(in);
    if (!RegionInfo.hasEncodedName(regionName) || regionName.length <= MD5_LENGTH + 1) {
      throw new CorruptFrameException("no region's name");
    }
    return new OpeningMark(
        number,
        regionName,
        new Range(Frame.readBytes(in), Frame.readBytes(in)),
        serverOf(Frame.readUtf(in)),
        in.readLong(),
        in.readBoolean(),
        in.readLong(),
        in.readLong());
  }
}
