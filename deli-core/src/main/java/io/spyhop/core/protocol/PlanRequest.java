package io.spyhop.core.protocol;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateCodec;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.util.List;

/**
 * The query that EXPLAIN is about.
 *
 * @param predicate what rows must satisfy
 * @param families the families that the scan selects; empty for all
 * @param hint as {@link Attributes#PATH_HINT}
 */
public record PlanRequest(BoundPredicate predicate, List<byte[]> families, String hint) {
  private static final int MAGIC = 0x53505052; // SPPR
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          Frame.writeBytes(out, PredicateCodec.encode(predicate));
          Frame.writeList(out, families, Frame::writeBytes);
          out.writeUTF(hint);
        });
  }

  /** Reads the wire form. */
  public static PlanRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "plan request",
        MAGIC,
        VERSION,
        bytes,
        in -> {
          BoundPredicate predicate = PredicateCodec.decode(Frame.readBytes(in));
          List<byte[]> families = Frame.readList(in, Frame.LEAST_BYTES, Frame::readBytes);
          return new PlanRequest(predicate, families, Frame.readUtf(in));
        });
  }
}
