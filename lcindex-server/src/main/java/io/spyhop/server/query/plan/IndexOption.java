package io.spyhop.server.query.plan;

import io.spyhop.core.protocol.RegionPlan.Estimate;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.index.local.column.ColumnBlock;
import java.util.Arrays;
import java.util.List;

/**
 * An index that can drive a query, and what that costs.
 *
 * @param entries how many records it has
 * @param share of its records that are in range
 * @param rereads how many rows must be read again, if all are asked for
 * @param several the part of its rows that other HFiles have, too, and that are fetched from each
 * @param uncovered cells that are looked at one by one
 * @param inMemory cells of rows in range that the memstore's index finds
 * @param whole the cost if nothing that is found is in the answer, because of other conditions
 */
record IndexOption(
    IndexDefinition index,
    Estimate estimate,
    long entries,
    double share,
    long rereads,
    double several,
    long uncovered,
    long inMemory,
    double cost,
    double whole) {
  boolean isColumnar() {
    return index.local().layout() == Layout.COLUMNAR;
  }

  /**
   * About how many rows match, over 0: columns are taken for independent, so where they are not
   * there are more, and a scan finds enough of them sooner.
   */
  static double matches(List<IndexOption> options) {
    double rows = 0;
    double share = 1;
    for (IndexOption o : options) {
      rows = Math.max(rows, o.share == 0 ? 0 : (double) o.entries);
      share *= o.share;
    }
    return Math.max(1, rows * share);
  }

  /**
   * Columnar indexes of the family narrow together, but not rows that are read again; columns are
   * taken for independent.
   *
   * @param all the query's
   */
  IndexOption narrowed(List<IndexOption> all, CostModel costs) {
    double others =
        all.stream()
            .filter(p -> !p.index.equals(index) && p.isColumnar())
            .filter(p -> Arrays.equals(p.index.column().family(), index.column().family()))
            .mapToDouble(IndexOption::share)
            .reduce(1, (a, b) -> a * b);
    long found = (long) Math.ceil(estimate.records() * others) + rereads;
    long inMemoryOfAll = (long) Math.ceil(inMemory * others);
    double atMost =
        costs.columns(entries, fetched((double) found), rereads, uncovered + inMemoryOfAll);
    return new IndexOption(
        index,
        new Estimate(estimate.index(), found, estimate.filesCovered(), estimate.filesMissing()),
        entries,
        share,
        rereads,
        several,
        uncovered,
        inMemoryOfAll,
        atMost,
        atMost);
  }

  private long fetched(double found) {
    return (long) Math.ceil(found * (1 + several));
  }

  /**
   * The same for a range of rows and a limit. Rows that are not in the range are not read again,
   * nor, where some are asked for, more than it takes to find them. In the order of rows none of
   * that is looked at, either.
   *
   * @param part of the region's rows that is in the range
   * @param matches how many rows of the range match
   */
  IndexOption asked(double part, double matches, long limit, CostModel costs) {
    long inRange = (long) Math.ceil(part * rereads);
    long needed = needed(part, matches, limit);
    long again = Math.min(inRange, needed);
    double cheaper = cost - costs.reread() * (rereads - again);
    return new IndexOption(
        index,
        estimate,
        entries,
        share,
        again,
        several,
        uncovered,
        inMemory,
        isColumnar() ? columns(part, needed, again, costs) : cheaper,
        cheaper);
  }

  /** Memstores and what is not covered are looked at first, and a block is at once. */
  private double columns(double part, long needed, long again, CostModel costs) {
    double found = part * estimate.records();
    double looked = found <= needed ? 1 : needed / found;
    double rows = looked * part * entries + (double) estimate.filesCovered() * ColumnBlock.MAX_ROWS;
    return costs.columns(
        (long) Math.min((double) entries, rows),
        fetched(looked * found),
        again,
        uncovered + inMemory);
  }

  /** How many records must be looked at to find the rows that are asked for. */
  long needed(double part, double matches, long limit) {
    return (long) Math.ceil(limit * Math.max(1, part * estimate.records() / matches));
  }
}
