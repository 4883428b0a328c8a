package io.spyhop.server.index.local.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** {@link RowHashes} against a set. */
class RowHashesProperties {
  @Property(tries = 100)
  void findsMembersWithASketchAndWithout(
      @ForAll long seed, @ForAll @IntRange(max = 5000) int count, @ForAll boolean close) {
    Random r = new Random(seed);
    RowHashes hashes = new RowHashes();
    Set<Integer> expected = new HashSet<>();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < count; i++) {
        int hash = close ? r.nextInt(2 * count) : r.nextInt();
        hashes.add(hash);
        expected.add(hash);
      }
      int[] asked = new int[ColumnBlock.MAX_ROWS];
      for (int i = 0; i < asked.length; i++) {
        asked[i] = close ? r.nextInt(2 * count + 2) : r.nextInt();
      }
      int at = 0;
      for (int hash : expected) {
        asked[at] = hash;
        at = (at + 3) % asked.length;
      }
      for (int hash : asked) {
        assertThat(hashes.contains(hash)).isEqualTo(expected.contains(hash));
      }
      hashes.sketched();
      for (int hash : asked) {
        assertThat(hashes.contains(hash)).as("sketched").isEqualTo(expected.contains(hash));
      }
    }
  }
}
