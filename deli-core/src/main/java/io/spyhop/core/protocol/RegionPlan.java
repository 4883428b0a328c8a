package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One region's plan for a query.
 *
 * @param region the region's encoded name
 * @param server the server that answered
 * @param path how it answers
 * @param reason why, in a few words
 * @param driving the index that gives the candidates; empty for a plain scan
 * @param estimates what each usable index would cost
 * @param scanCells cells in HFiles that a plain scan would read
 * @param filesCovered HFiles with index files of the driving index
 * @param filesMissing HFiles without, which are read whole
 * @param memstoreCells cells in the memstore, which are read whole
 * @param actual what happened, once the query ran
 */
public record RegionPlan(
    String region,
    String server,
    Path path,
    String reason,
    String driving,
    List<Estimate> estimates,
    long scanCells,
    int filesCovered,
    int filesMissing,
    long memstoreCells,
    Optional<Actual> actual) {
  private static final int MAGIC = 0x53505052 + 1; // SPPS
  private static final int VERSION = 1;

  /** Ways in which a region answers. */
  public enum Path {
    /** Every row is read and filtered. */
    SCAN,
    /** Candidates come from the local index. */
    LOCAL_INDEX
  }

  /**
   * The estimated cost of an index.
   *
   * @param index its name
   * @param records index records in the predicate's ranges, at most
   * @param filesCovered HFiles with index files
   * @param filesMissing HFiles without
   */
  public record Estimate(String index, long records, int filesCovered, int filesMissing) {}

  /**
   * The work that a region really did.
   *
   * @param records index records read
   * @param uncoveredCells cells read from memstore and uncovered HFiles
   * @param candidates distinct rows considered after judging records
   * @param rereads rows read again from the region
   * @param rows rows returned
   * @param nanos time inside the region, candidates and rows together
   * @param fallback why another way took over after all, or empty
   */
  public record Actual(
      long records,
      long uncoveredCells,
      long candidates,
      long rereads,
      long rows,
      long nanos,
      String fallback) {}

  /** The same plan with what happened. */
  public RegionPlan with(Actual happened) {
    return new RegionPlan(
        region,
        server,
        path,
        reason,
        driving,
        estimates,
        scanCells,
        filesCovered,
        filesMissing,
        memstoreCells,
        Optional.of(happened));
  }

  /** The same plan for another reason. */
  public RegionPlan because(String other) {
    return new RegionPlan(
        region,
        server,
        path,
        other,
        driving,
        estimates,
        scanCells,
        filesCovered,
        filesMissing,
        memstoreCells,
        actual);
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(region);
    out.writeUTF(server);
    out.writeUTF(path.name());
    out.writeUTF(reason);
    out.writeUTF(driving);
    out.writeInt(estimates.size());
    for (Estimate e : estimates) {
      out.writeUTF(e.index);
      out.writeLong(e.records);
      out.writeInt(e.filesCovered);
      out.writeInt(e.filesMissing);
    }
    out.writeLong(scanCells);
    out.writeInt(filesCovered);
    out.writeInt(filesMissing);
    out.writeLong(memstoreCells);
    out.writeBoolean(actual.isPresent());
    if (actual.isPresent()) {
      Actual a = actual.get();
      for (long n :
          new long[] {a.records, a.uncoveredCells, a.candidates, a.rereads, a.rows, a.nanos}) {
        out.writeLong(n);
      }
      out.writeUTF(a.fallback);
    }
  }

  /** Reads the wire form. */
  public static RegionPlan decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("region plan", MAGIC, VERSION, bytes, RegionPlan::read);
  }

  private static RegionPlan read(DataInputStream in) throws IOException {
    String region = Frame.readUtf(in);
    String server = Frame.readUtf(in);
    Path path = Path.valueOf(Frame.readUtf(in));
    String reason = Frame.readUtf(in);
    String driving = Frame.readUtf(in);
    List<Estimate> estimates =
        Frame.readList(
            in,
            Frame.LEAST_UTF + Long.BYTES + 2 * Integer.BYTES,
            e -> new Estimate(Frame.readUtf(e), e.readLong(), e.readInt(), e.readInt()));
    long scanCells = in.readLong();
    int covered = in.readInt();
    int missing = in.readInt();
    long memstore = in.readLong();
    Optional<Actual> actual = in.readBoolean() ? Optional.of(readActual(in)) : Optional.empty();
    return new RegionPlan(
        region, server, path, reason, driving, estimates, scanCells, covered, missing, memstore,
        actual);
  }

  private static Actual readActual(DataInputStream in) throws IOException {
    return new Actual(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        Frame.readUtf(in));
  }
}
