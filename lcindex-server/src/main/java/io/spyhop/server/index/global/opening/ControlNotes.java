package io.spyhop.server.index.global.opening;

import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.BuiltRanges.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * All that an index table notes about itself. Immutable, thread-safe.
 *
 * @param epoch of the build; none in tables of earlier versions
 * @param built rows that were built in it, in any order
 * @param marks the last of each region, of regions that are no more too
 */
public record ControlNotes(OptionalLong epoch, List<Built> built, List<OpeningMark> marks) {
  /**
   * Rows whose cells had their entries when this was noted.
   *
   * @param number that of the mark of the opening that built them
   */
  public record Built(long number, Range range) {}

  /** The last mark of a region, by its encoded name. */
  public Optional<OpeningMark> markOf(String region) {
    return marks.stream().filter(m -> m.region().equals(region)).findFirst();
  }

  /** The highest number in any note that counts; 0 if there is none. */
  public long greatestNumber() {
    return LongStream.concat(
            built.stream().mapToLong(Built::number),
            marks.stream().mapToLong(m -> Math.max(m.number(), m.since())))
        .reduce(0, Math::max);
  }

  /** What openings built from a number on. */
  public BuiltRanges since(long number) {
    return new BuiltRanges(
        built.stream().filter(b -> b.number() >= number).map(Built::range).toList());
  }

  /**
   * The rows that have all their entries: they were built, every opening of their region since was
   * watched, and so is the present one.
   *
   * @param watched whether a mark stands for the region's present opening
   */
  public BuiltRanges believed(Predicate<OpeningMark> watched) {
    EntryCoverage covered = new EntryCoverage(built);
    List<Range> believed = new ArrayList<>();
    for (OpeningMark m : marks) {
      if (m.isOpen() && watched.test(m)) {
        believed.addAll(covered.in(m.range(), m.since()));
      }
    }
    return new BuiltRanges(List.copyOf(believed));
  }

  /** What is built of a region's rows, if its mark can be believed. */
  public List<Range> builtFor(OpeningMark mark) {
    return new EntryCoverage(built).in(mark.range(), mark.since());
  }

  /**
   * Marks of regions that are no more: others that have been opened later, one of them now, have
   * all their rows. Until they do, a daughter may still come that goes by the mark. One that could
   * not be taken back is among them: where another region is open now, its region is not.
   *
   * @param open the mark of the opening of now, which need not be among these
   * @param before only marks with smaller numbers
   */
  public List<OpeningMark> replaced(OpeningMark open, long before) {
    return marks.stream()
        .filter(m -> m.number() < before)
        .filter(m -> !m.region().equals(open.region()))
        .filter(m -> m.range().intersect(open.range()).isPresent())
        .filter(m -> successors(m, open).covers(m.range().start(), m.range().end()))
        .toList();
  }

  private BuiltRanges successors(OpeningMark mark, OpeningMark open) {
    return new BuiltRanges(
        Stream.concat(marks.stream(), Stream.of(open))
            .filter(m -> m.number() > mark.number() && !m.region().equals(mark.region()))
            .map(OpeningMark::range)
            .toList());
  }
}
