package io.spyhop.client;

import io.spyhop.core.global.Entry;
import java.util.List;

/**
 * The result of comparing an index with its table.
 *
 * @param index the index's name
 * @param cells what was compared: cells of the table that should have an entry; of a LOCAL index
 *     the rows that have a value; of STATS the stored cells
 * @param missing how many the index does not have, or has otherwise: queries through it may not
 *     find their rows
 * @param entries entries of the index; of a LOCAL index the rows that it answered with; 0 of STATS
 * @param dangling how many of them point at no cell: they cost reads a look and do no other harm
 * @param missingSamples some of the missing
 * @param danglingSamples some of the dangling
 * @param unchecked how much of {@code cells} could not be compared, as the index is not built
 *     there, its region gave no answer or would not answer through it
 * @param repaired whether the missing have been added and the dangling handed in for repair: their
 *     regions delete them when they still dangle after the grace period, {@code
 *     spyhop.global.grace.ms}
 */
public record VerifyReport(
    String index,
    long cells,
    long missing,
    long entries,
    long dangling,
    List<Entry> missingSamples,
    List<Entry> danglingSamples,
    long unchecked,
    boolean repaired) {

  /** Results of a comparison; the worst that holds counts. */
  public enum Result {
    /** The index has all that it should, and nothing else. */
    CLEAN,
    /** It has more than it should, which costs time and does no other harm. */
    DANGLING,
    /** Something could not be compared; what could be has nothing missing. */
    UNCHECKED,
    /** It lacks something: queries through it may be wrong. */
    MISSING
  }

  /** What the comparison came to; what has been repaired counts as it was found. */
  public Result result() {
    if (missing > 0) {
      return Result.MISSING;
    }
    if (unchecked > 0) {
      return Result.UNCHECKED;
    }
    return dangling > 0 ? Result.DANGLING : Result.CLEAN;
  }

  /** Whether the index has every entry that it should, and no other. */
  public boolean isClean() {
    return result() == Result.CLEAN;
  }
}
