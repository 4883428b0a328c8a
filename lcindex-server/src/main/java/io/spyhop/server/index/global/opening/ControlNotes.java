package io.spyhop.server.index.global.opening;

import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.BuiltRanges.Range;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** All that an index table notes about itself. Immutable, thread-safe. */
public final class ControlNotes {
  private final OptionalLong epoch;
  private final List<Built> built;
  private final EntryCoverage coverage;
  private final Map<String, OpeningMark> marks;

  /**
   * Rows whose cells had their entries when this was noted.
   *
   * @param number that of the mark of the opening that built them
   */
  public record Built(long number, Range range) {}

  private ControlNotes(
      OptionalLong epoch,
      List<Built> built,
      EntryCoverage coverage,
      Map<String, OpeningMark> marks) {
    this.epoch = epoch;
    this.built = built;
    this.coverage = coverage;
    this.marks = marks;
  }

  /**
   * Notes of now.
   *
   * @param epoch of the build; none in tables of earlier versions
   * @param built rows that were built in it, in any order
   * @param marks of regions, also of those that are no more; of one region that with the highest
   *     number counts
   */
  public static ControlNotes of(OptionalLong epoch, List<Built> built, List<OpeningMark> marks) {
    return new ControlNotes(
        epoch, List.copyOf(built), new EntryCoverage(built), together(Map.of(), marks));
  }

  /** These notes after marks were written. */
  public ControlNotes with(List<OpeningMark> written) {
    return new ControlNotes(epoch, built, coverage, together(marks, written));
  }

  private static Map<String, OpeningMark> together(
      Map<String, OpeningMark> before, List<OpeningMark> marks) {
    Map<String, OpeningMark> last = new HashMap<>(before);
    marks.forEach(m -> last.merge(m.region(), m, (a, b) -> b.number() >= a.number() ? b : a));
    return last;
  }

  /** The epoch of the build; none in tables of earlier versions. */
  public OptionalLong epoch() {
    return epoch;
  }

  /** Rows that were built in it, in any order. */
  public List<Built> built() {
    return built;
  }

  /** The last mark of each region. */
  public Collection<OpeningMark> marks() {
    return Collections.unmodifiableCollection(marks.values());
  }

  /** The last mark of a region, by its encoded name. */
  public Optional<OpeningMark> markOf(String region) {
    return Optional.ofNullable(marks.get(region));
  }

  /** The highest number in any note that counts; 0 if there is none. */
  public long greatestNumber() {
    return LongStream.concat(
            built.stream().mapToLong(Built::number),
            marks().stream().mapToLong(m -> Math.max(m.number(), m.since())))
        .reduce(0, Math::max);
  }

  /**
   * The rows that have all their entries: they were built, every opening of their region since was
   * watched, and so is the last one.
   *
   * @param watched the marks of regions' last openings
   */
  public BuiltRanges believed(Collection<OpeningMark> watched) {
    List<Range> believed = new ArrayList<>();
    watched.forEach(m -> believed.addAll(builtFor(m)));
    return BuiltRanges.merged(believed);
  }

  /** Whether all rows of a region are built, if its mark can be believed. */
  public boolean isBuilt(OpeningMark mark) {
    return new BuiltRanges(builtFor(mark)).covers(mark.range().start(), mark.range().end());
  }

  /** What is built of a region's rows, if its mark can be believed. */
  public List<Range> builtFor(OpeningMark mark) {
    return coverage.in(mark.range(), mark.since());
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
    return marks().stream()
        .filter(m -> m.number() < before)
        .filter(m -> !m.region().equals(open.region()))
        .filter(m -> m.range().intersect(open.range()).isPresent())
        .filter(m -> successors(m, open).covers(m.range().start(), m.range().end()))
        .toList();
  }

  private BuiltRanges successors(OpeningMark mark, OpeningMark open) {
    return new BuiltRanges(
        Stream.concat(marks().stream(), Stream.of(open))
            .filter(m -> m.number() > mark.number() && !m.region().equals(mark.region()))
            .map(OpeningMark::range)
            .toList());
  }
}
