package io.spyhop.core.protocol;

import io.spyhop.core.stats.BloomBits;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The states of a table's regions on one server: of all, or of those whose state is another than in
 * the answer with the request's version. What it says of a region is what the region itself would
 * say, asked after the request arrived: its epoch and version, as one number. Immutable if nobody
 * writes to its arrays, thread-safe.
 *
 * @param life drawn when the server begins, and whenever a region leaves it
 * @param version counts changes of states
 * @param all whether these are all regions
 * @param regions their {@link #region}s
 * @param states their {@link #state}s
 */
public record DigestAnswer(long life, long version, boolean all, long[] regions, long[] states) {
  private static final int MAGIC = 0x53504447; // SPDG
  private static final int VERSION = 1;
  private static final int LEAST_REGION = 2 * Long.BYTES;
  private static final long ODD = 0x9e3779b97f4a7c15L;

  /** A number for a region's encoded name, which is a hash itself. */
  public static long region(String encodedName) {
    return BloomBits.hash(Bytes.toBytes(encodedName));
  }

  /** A number for an epoch, which is random, and a version: another one for each version. */
  public static long state(long epoch, long version) {
    return epoch + version * ODD;
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeLong(life);
    out.writeLong(version);
    out.writeBoolean(all);
    out.writeInt(regions.length);
    for (int i = 0; i < regions.length; i++) {
      out.writeLong(regions[i]);
      out.writeLong(states[i]);
    }
  }

  /** Reads the wire form; empty if it is a {@link SummaryAnswer}, of an earlier server. */
  public static Optional<DigestAnswer> decode(byte[] bytes) throws CorruptFrameException {
    return SummaryAnswer.is(bytes)
        ? Optional.empty()
        : Optional.of(Frame.decode("digest", MAGIC, VERSION, bytes, DigestAnswer::read));
  }

  private static DigestAnswer read(DataInputStream in) throws IOException {
    long life = in.readLong();
    long version = in.readLong();
    boolean all = in.readBoolean();
    int count = Frame.readCount(in, LEAST_REGION);
    long[] regions = new long[count];
    long[] states = new long[count];
    for (int i = 0; i < count; i++) {
      regions[i] = in.readLong();
      states[i] = in.readLong();
    }
    return new DigestAnswer(life, version, all, regions, states);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof DigestAnswer d
        && life == d.life
        && version == d.version
        && all == d.all
        && Arrays.equals(regions, d.regions)
        && Arrays.equals(states, d.states);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(life) * 31 + Long.hashCode(version);
  }
}
