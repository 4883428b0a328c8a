package io.spyhop.server.index.global.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.Test;

/** Stored cells that no reader can ever see again. */
class PurgeableCellsTest {
  private static final VersionRules ONE = new VersionRules(1, 0, Long.MAX_VALUE, false, false);
  private static final VersionRules TWO = new VersionRules(2, 0, Long.MAX_VALUE, false, false);

  private static List<String> never(VersionRules rules, String cells) {
    List<KeyValue> stored = TextCells.parse(cells);
    PurgeableCells purgeable = new PurgeableCells(rules, stored);
    return stored.stream()
        .filter(CellUtil::isPut)
        .filter(purgeable::has)
        .map(TextCells::value)
        .toList();
  }

  @Test
  void enoughNewerVersions() {
    String cells =
        """
        r a 3 put x
        r a 3 put x2
        r a 2 put y
        r a 1 put z
        """;
    assertThat(never(ONE, cells)).containsExactly("y", "z");
    assertThat(never(TWO, cells)).containsExactly("z");
  }

  @Test
  void newerVersionsThatGoDoNotCount() {
    assertThat(never(ONE, "r a 2 put x ttl=10\nr a 1 put y")).isEmpty();
    assertThat(never(ONE, "r a 2 delete\nr a 2 put x\nr a 1 put y")).isEmpty();
    assertThat(never(ONE, "r - 2 familyversion\nr a 2 put x\nr a 1 put y")).isEmpty();
  }

  @Test
  void laterMarkersHide() {
    assertThat(never(ONE, "r a 2 column seq=9\nr a 2 put x seq=8\nr a 1 put y seq=7"))
        .containsExactly("x", "y");
    assertThat(never(ONE, "r - 2 family seq=9\nr a 3 put w seq=8\nr a 2 put x seq=8"))
        .containsExactly("x");
  }

  /** A compaction may drop the marker and leave the cell. */
  @Test
  void earlierMarkersProveNothing() {
    assertThat(never(ONE, "r a 2 column seq=7\nr a 1 put x seq=8")).isEmpty();
    List<KeyValue> compacted = TextCells.parse("r a 2 column\nr a 1 put x");
    compacted.get(1).setSequenceId(0);
    assertThat(new PurgeableCells(ONE, compacted).has(compacted.get(1))).isFalse();
  }

  /**
   * What HBase's tracker of labelled deletes forgets: the column's marker, but not the family's.
   */
  @Test
  void markersOfOneVersionUndoThatOfTheColumn() {
    assertThat(never(ONE, "r a 9 column seq=9\nr a 3 delete seq=4\nr a 2 put x seq=5")).isEmpty();
    assertThat(never(ONE, "r a 9 column seq=9\nr a 9 delete seq=4\nr a 2 put x seq=5")).isEmpty();
    assertThat(never(ONE, "r a 9 column seq=9\nr a 2 delete seq=4\nr a 2 put x seq=5")).isEmpty();
    assertThat(never(ONE, "r a 9 column seq=9\nr a 3 put w seq=6\nr a 1 delete seq=4"))
        .containsExactly("w");
    assertThat(never(ONE, "r - 9 family seq=9\nr a 3 delete seq=4\nr a 2 put x seq=5"))
        .containsExactly("x");
  }

  @Test
  void labelledMarkersHideFromSome() {
    assertThat(never(ONE, "r a 2 column seq=9 label\nr a 1 put x seq=8")).isEmpty();
    assertThat(never(ONE, "r a 2 column seq=9\nr a 1 put x seq=8 label")).isEmpty();
  }

  @Test
  void otherFamiliesKeepMore() {
    String cells = "r a 3 column seq=9\nr a 2 put x seq=8\nr a 1 put y seq=8";
    assertThat(never(new VersionRules(1, 0, Long.MAX_VALUE, true, false), cells)).isEmpty();
    assertThat(never(new VersionRules(1, 0, Long.MAX_VALUE, false, true), cells)).isEmpty();
  }

  /** So that rows need not be read to their end. */
  @Property
  void whatIsOlderDoesNotMatter(
      @ForAll @Size(min = 1, max = 8) List<@From("cell") String> lines, @ForAll boolean two) {
    List<KeyValue> stored = TextCells.parse(String.join("\n", lines));
    VersionRules rules = two ? TWO : ONE;
    for (KeyValue put : stored.stream().filter(CellUtil::isPut).toList()) {
      List<KeyValue> since =
          stored.stream().filter(c -> c.getTimestamp() >= put.getTimestamp()).toList();
      assertThat(new PurgeableCells(rules, since).has(put))
          .isEqualTo(new PurgeableCells(rules, stored).has(put));
    }
  }

  @Provide
  Arbitrary<String> cell() {
    return Combinators.combine(
            Arbitraries.of(
                "a @ put x", "a @ put x ttl=10", "a @ delete", "a @ column", "- @ family"),
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, 9))
        .as((cell, ts, seq) -> "r " + cell.replace("@", ts.toString()) + " seq=" + seq);
  }
}
