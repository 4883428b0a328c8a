package io.spyhop.client;

import io.spyhop.core.global.Entry;
import java.util.List;

/**
 * How a global index agrees with its base table.
 *
 * @param index the index's name
 * @param cells cells of the table that should have an entry
 * @param missing how many have none: queries through the index do not find their rows
 * @param entries entries of the index
 * @param dangling how many point at no cell: they cost reads a look and do no other harm
 * @param missingSamples some of the missing
 * @param danglingSamples some of the dangling
 * @param repaired whether the missing have been added and the dangling deleted
 */
public record VerifyReport(
    String index,
    long cells,
    long missing,
    long entries,
    long dangling,
    List<Entry> missingSamples,
    List<Entry> danglingSamples,
    boolean repaired) {
  /** Whether the index has every entry that it should, and no other. */
  public boolean isClean() {
    return missing == 0 && dangling == 0;
  }
}
