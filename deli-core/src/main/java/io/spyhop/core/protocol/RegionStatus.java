package io.spyhop.core.protocol;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The progress of the indexes of one region.
 *
 * @param region the region's encoded name
 * @param server the server that answered, {@code host,port,startcode}
 * @param indexes one entry per readable definition
 * @param unreadable definitions that the region cannot read, with the reason
 */
public record RegionStatus(
    String region, String server, List<IndexState> indexes, List<String> unreadable) {
  private static final int MAGIC = 0x53505354; // SPST
  private static final int VERSION = 2;
  private static final int LEAST_STATE = 2 * Frame.LEAST_UTF + 7 * Long.BYTES + 3 * Integer.BYTES;

  /**
   * One index in one region, as the wire has it whatever the kind: one that has no index files is
   * told by {@link #ofGlobal} or {@link #ofStatistics}, and who asks knows from the definition what
   * to read of it. What is said of index files stands for a {@link #build} of a global index.
   *
   * @param index the index's name
   * @param incarnation the incarnation that the region works with
   * @param files HFiles of the indexed family
   * @param covered those with committed index files
   * @param entries index entries in them
   * @param undecodable cells that do not decode as the declared type
   * @param unkeyable values without a key, always read
   * @param ifileBytes size of the IFiles
   * @param sfileBytes size of the SFiles
   * @param pending jobs that wait or run; of a global index, repairs of the region
   * @param repairedUpTo up to when all that flushes and compactions found obsolete has been
   *     repaired, in milliseconds by the server's clock; 0 if that is not known yet, or not a
   *     global index
   * @param lastError the newest failure not yet followed by a success, or empty
   */
  public record IndexState(
      String index,
      long incarnation,
      int files,
      int covered,
      long entries,
      long undecodable,
      long unkeyable,
      long ifileBytes,
      long sfileBytes,
      int pending,
      long repairedUpTo,
      String lastError) {

    /**
     * A global index.
     *
     * @param built whether all cells of the region have their entries
     */
    public static IndexState ofGlobal(
        IndexDefinition index,
        boolean built,
        Build build,
        int repairs,
        long repairedUpTo,
        String lastError) {
      return new IndexState(
          index.name(),
          index.incarnation(),
          1,
          built ? 1 : 0,
          build.rows,
          0,
          build.millis,
          build.bytes,
          build.of,
          repairs,
          repairedUpTo,
          lastError);
    }

    /** How far a global index is built. */
    public Build build() {
      return new Build(entries, ifileBytes, sfileBytes, unkeyable);
    }

    /**
     * Statistics alone.
     *
     * @param files HFiles, and the memstore if it is to be read
     * @param known those whose values are known
     */
    public static IndexState ofStatistics(
        IndexDefinition index, int files, int known, int pending, String lastError) {
      long incarnation = index.incarnation();
      return new IndexState(
          index.name(), incarnation, files, known, 0, 0, 0, 0, 0, pending, 0, lastError);
    }
  }

  /**
   * Progress of building a global index: the part of a region that was read by the server that has
   * it now.
   *
   * @param rows those that were read
   * @param bytes of their cells, uncompressed
   * @param of bytes of all cells of the region
   * @param millis for how long it was read by now; 0 if it is not being read
   */
  public record Build(long rows, long bytes, long of, long millis) {}

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(region);
    out.writeUTF(server);
    out.writeInt(indexes.size());
    for (IndexState s : indexes) {
      out.writeUTF(s.index);
      out.writeLong(s.incarnation);
      out.writeInt(s.files);
      out.writeInt(s.covered);
      out.writeLong(s.entries);
      out.writeLong(s.undecodable);
      out.writeLong(s.unkeyable);
      out.writeLong(s.ifileBytes);
      out.writeLong(s.sfileBytes);
      out.writeInt(s.pending);
      out.writeLong(s.repairedUpTo);
      out.writeUTF(s.lastError);
    }
    Frame.writeList(out, unreadable, DataOutputStream::writeUTF);
  }

  /** Reads the wire form. */
  public static RegionStatus decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("region status", MAGIC, VERSION, bytes, RegionStatus::read);
  }

  private static RegionStatus read(DataInputStream in) throws IOException {
    String region = Frame.readUtf(in);
    String server = Frame.readUtf(in);
    List<IndexState> indexes = Frame.readList(in, LEAST_STATE, RegionStatus::readState);
    List<String> unreadable = Frame.readList(in, Frame.LEAST_UTF, Frame::readUtf);
    return new RegionStatus(region, server, indexes, unreadable);
  }

  private static IndexState readState(DataInputStream in) throws IOException {
    return new IndexState(
        Frame.readUtf(in),
        in.readLong(),
        in.readInt(),
        in.readInt(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readInt(),
        in.readLong(),
        Frame.readUtf(in));
  }
}
