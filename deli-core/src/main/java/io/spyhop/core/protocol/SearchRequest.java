package io.spyhop.core.protocol;

import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Asks a region of an index table for entries in spans of its rows, {@code
 * docs/formats/region-messages.md}.
 *
 * @param incarnation of the index that is meant
 * @param spans at least one, ascending and disjoint; the region has the first row of the first one
 * @param before only entries with smaller timestamps
 * @param everyVersion whether all timestamps of a value and row are wanted, or only the newest
 * @param limit the most entries of the answer
 */
public record SearchRequest(
    long incarnation, List<Span> spans, long before, boolean everyVersion, int limit) {
  private static final int MAGIC = 0x53505351; // SPSQ
  private static final int VERSION = 1;

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeLong(incarnation);
    Frame.writeList(
        out,
        spans,
        (to, s) -> {
          Frame.writeBytes(to, s.from());
          Frame.writeBytes(to, s.to());
        });
    out.writeLong(before);
    out.writeBoolean(everyVersion);
    out.writeInt(limit);
  }

  /** Reads the wire form. */
  public static SearchRequest decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("search request", MAGIC, VERSION, bytes, SearchRequest::read);
  }

  private static SearchRequest read(DataInputStream in) throws IOException {
    long incarnation = in.readLong();
    List<Span> spans =
        Frame.readList(
            in,
            2 * Frame.LEAST_BYTES,
            from -> new Span(Frame.readBytes(from), Frame.readBytes(from)));
    if (spans.isEmpty()) {
      throw new CorruptFrameException("a search request without spans");
    }
    return new SearchRequest(incarnation, spans, in.readLong(), in.readBoolean(), in.readInt());
  }

  /** The first span, as it was asked for before a call took several. */
  public PageRequest first() {
    Span first = spans.get(0);
    return new PageRequest(incarnation, first.from(), first.to(), before, everyVersion, limit);
  }
}
