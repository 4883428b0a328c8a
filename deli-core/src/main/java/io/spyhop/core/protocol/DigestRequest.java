package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;

/**
 * A client's version of a server's {@link DigestAnswer} for a table, sent to learn which regions
 * have changed since. It travels beside a {@link SummaryRequest}, as {@link Attributes#DIGEST}.
 * Immutable, thread-safe.
 *
 * @param life of the answer that it has, or {@link #NOTHING}
 * @param version of the answer that it has
 */
public record DigestRequest(long life, long version) {
  /** The life of a client that has no answer. */
  public static final long NOTHING = 0;

  private static final int MAGIC = 0x53504451; // SPDQ
  private static final int VERSION = 1;

  /** The request of a client that has no answer. */
  public static DigestRequest first() {
    return new DigestRequest(NOTHING, 0);
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          out.writeLong(life);
          out.writeLong(version);
        });
  }

  /** Reads the wire form. */
  public static DigestRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "digest request",
        MAGIC,
        VERSION,
        bytes,
        in -> new DigestRequest(in.readLong(), in.readLong()));
  }
}
