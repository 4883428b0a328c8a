package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;

/**
 * A client's version of a region's statistics, sent to learn what is new (paper, section 5.2).
 * Immutable, thread-safe.
 *
 * @param epoch of the summary that it has, or {@link #NOTHING}
 * @param version of the summary that it has
 */
public record SummaryRequest(long epoch, long version) {
  /** The epoch of a client that has no summary. */
  public static final long NOTHING = 0;

  private static final int MAGIC = 0x53505353; // SPSS
  private static final int VERSION = 1;

  /** The request of a client that has no summary. */
  public static SummaryRequest first() {
    return new SummaryRequest(NOTHING, 0);
  }

  /** The question that carries it, whose {@code toGet} makes the Get. */
  public RegionRequest toRegionRequest() {
    return new RegionRequest(RegionRequest.Kind.SUMMARY, encode());
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          out.writeLong(epoch);
          out.writeLong(version);
        });
  }

  /** Reads the wire form. */
  public static SummaryRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "summary request",
        MAGIC,
        VERSION,
        bytes,
        in -> new SummaryRequest(in.readLong(), in.readLong()));
  }
}
