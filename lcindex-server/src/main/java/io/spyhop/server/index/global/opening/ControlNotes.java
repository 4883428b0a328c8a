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

/**
 * All that an index table notes about itself. Immutable, thread-safe.
 *
 * @param epoch of the build; none in tables of earlier versions
 * @param built rows that were built in it, in any order
 * @param byRegion the last mark of each region, by its encoded name; of regions that are no more,
 *     too
 */
public record ControlNotes(
    OptionalLong epoch, List<Built> built, Map<String, OpeningMark> byRegion) {
  /**
   * Rows whose cells had their entries when this was noted.
   *
   * @param number that of the mark of the opening that built them
   */
  public record Built(long number, Range range) {}

  /**
   * Notes of now.
   *
   * @param marks of one region that with the highest number counts
   */
  public static ControlNotes of(OptionalLong epoch, List<Built> built, List<OpeningMark> marks) {
    Map<String, OpeningMark> byRegion = new HashMap<>();
    marks.forEach(m -> byRegion.merge(m.region(), m, ControlNotes::later));
    return new ControlNotes(epoch, List.copyOf(built), Collections.unmodifiableMap(byRegion));
  }

  /** These notes after marks were written. */
  public ControlNotes with(List<OpeningMark> written) {
    Map<String, OpeningMark> next = new HashMap<>(byRegion);
    written.forEach(m -> next.merge(m.region(), m, ControlNotes::later));
    return new ControlNotes(epoch, built, Collections.unmodifiableMap(next));
  }

  private static OpeningMark later(OpeningMark a, OpeningMark b) {
    return b.number() >= a.number() ? b : a;
  }

  /** The last mark of each region. */
  public Collection<OpeningMark> marks() {
    return byRegion.values();
  }

  /** The last mark of a region, by its encoded name. */
  public Optional<OpeningMark> markOf(String region) {
    return Optional.ofNullable(byRegion.get(region));
  }

  /** The highest number in any note that counts; 0 if there is none. */
  public long greatestNumber() {
    return LongStream.concat(
            built.stream().mapToLong(Built::number),
            marks().stream().mapToLong(m -> Math.max(m.number(), m.since())))
        .reduce(0, Math::max);
  }

  /** What openings built from a number on. */
  public BuiltRanges since(long number) {
    return new BuiltRanges(
        built.stream().filter(b -> b.number() >= number).map(Built::range).toList());
  }

  /**
   * The rows that have all their entries: they were built, every opening of their region since was
   * watched, and so is the last one.
   *
   * @param watched the marks of regions' last openings
   */
  public BuiltRanges believed(Collection<OpeningMark> watched) {
    EntryCoverage covered = new EntryCoverage(built);
    List<Range> believed = new ArrayList<>();
    watched.forEach(m -> believed.addAll(covered.in(m.range(), m.since())));
    return BuiltRanges.merged(believed);
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
