package io.spyhop.server.query.plan;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.ByteComparison;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.IndexFile;
import java.util.List;
import java.util.Optional;

/**
 * The condition of a scan, in a form that an index can help with. Immutable, thread-safe.
 *
 * @param predicate true of the rows in the answer, as far as security lets the user see them
 * @param comparisons what an existing program asked in HBase's own filters, which compare bytes and
 *     not values; empty for a predicate of Spyhop
 * @param secured whether security filters are around the scan's
 * @param hides whether they may hide cells from who asks; they hide none from superusers
 */
public record ScanPredicate(
    BoundPredicate predicate, List<ByteComparison> comparisons, boolean secured, boolean hides) {

  /** A predicate of which nothing is hidden. */
  public static ScanPredicate of(BoundPredicate predicate) {
    return new ScanPredicate(predicate, List.of(), false, false);
  }

  /** The same for who sees everything. */
  public ScanPredicate ofSuperuser() {
    return new ScanPredicate(predicate, comparisons, secured, false);
  }

  /** Whether it is bytes that are compared. */
  public boolean isBytewise() {
    return !comparisons.isEmpty();
  }

  /**
   * Where in an index the rows in the answer have their keys; values without a key come in
   * addition.
   *
   * @return empty if the index cannot drive the query
   */
  public Optional<KeyRanges> keys(IndexDefinition index) {
    int column = predicate.columnOf(index.column());
    if (column < 0 || !predicate.canDrive(column)) {
      return Optional.empty();
    }
    if (isBytewise()) {
      return comparisons.stream()
          .filter(c -> c.column().equals(index.column()))
          .flatMap(c -> c.keys(index.type()).stream())
          .reduce(KeyRanges::intersect);
    }
    return predicate.columns().get(column).type() == index.type()
        ? Optional.of(predicate.keyRanges(column))
        : Optional.empty();
  }

  /**
   * Whether index files stand for their HFile: a cell that does not decode is not in them, but its
   * bytes can be compared.
   */
  public boolean isCoveredBy(IndexFile file) {
    return !isBytewise() || file.counts().undecodable() == 0;
  }

  /**
   * Whether a row whose cells do not match is dropped by what an index or statistics say of it.
   * Where cells are hidden nothing is: that would tell of them, by the time that it takes, and a
   * condition may be true because the filter sees a part of the row.
   */
  public boolean mayDrop() {
    return !secured || !hides && !predicate.asksForAbsence();
  }
}
