package io.spyhop.server.index.global.opening;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.ServerName;

/**
 * The opening before the present one, as hbase:meta had it while the region opened. Immutable,
 * thread-safe.
 *
 * @param origins the region itself, or those that it came of by a split or merge; none if it was
 *     not open before, or nothing is known
 */
public record LastOpening(List<Origin> origins) {
  /** Nothing that can be relied on. */
  public static final LastOpening UNKNOWN = new LastOpening(List.of());

  /** The region in which some of a region's rows were last open. */
  public sealed interface Origin {
    /** Encoded. */
    String region();

    /** Whether the region's last mark speaks of its last opening. */
    boolean isMarked(OpeningMark mark);
  }

  /**
   * A region of which hbase:meta knows the last opening. A later one that was marked and not
   * reported took no writes: its mark says what the region has, too.
   */
  public record Known(String region, ServerName server, long seqNum) implements Origin {
    @Override
    public boolean isMarked(OpeningMark mark) {
      return mark.isOf(server, seqNum) || mark.openSeqNum() > seqNum;
    }
  }

  /**
   * A daughter's parent. It has noted that it closed, which it does not if it left files behind
   * that compactions had replaced: the daughter has their cells again.
   */
  public record Parent(String region, ServerName server, long seqNum) implements Origin {
    @Override
    public boolean isMarked(OpeningMark mark) {
      return mark.isOf(server, seqNum) && mark.hasClosed();
    }
  }

  /**
   * A merged region's parent, of which hbase:meta knows no more. It has noted that it closed as a
   * {@link Parent} has.
   *
   * @param closedAt the last sequence number in its directory; every opening leaves a higher one
   */
  public record Merged(String region, long closedAt) implements Origin {
    @Override
    public boolean isMarked(OpeningMark mark) {
      return !mark.isOpen() && closedAt > 0 && mark.closedAt() == closedAt;
    }
  }

  /** The sequence number of that opening, if it was one of the region itself, and is known. */
  public OptionalLong seqNumOf(String region) {
    return origins.stream()
        .filter(o -> o.region().equals(region))
        .flatMapToLong(o -> o instanceof Known k ? LongStream.of(k.seqNum()) : LongStream.empty())
        .findFirst();
  }

  /**
   * The marks of the origins, if each one's last opening was watched; none if one was not, or
   * nobody knows: then no note so far says anything of the region's rows.
   */
  public List<OpeningMark> marks(ControlNotes notes) {
    List<OpeningMark> marks = new ArrayList<>();
    for (Origin o : origins) {
      Optional<OpeningMark> mark = notes.markOf(o.region()).filter(o::isMarked);
      if (mark.isEmpty()) {
        return List.of();
      }
      marks.add(mark.get());
    }
    return List.copyOf(marks);
  }
}
