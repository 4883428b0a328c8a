package io.spyhop.server.index.global.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Algorithm 3: cells in, obsolete versions out. */
class ObsoleteVersionsTest {
  private static final long NOW = 1_000;
  private static final VersionRules ONE = rules(1);

  private static VersionRules rules(int versions) {
    return new VersionRules(versions, 0, Long.MAX_VALUE, false, false);
  }

  private static IndexDefinition index(String name, String column, ValueType type) {
    return IndexDefinition.builder(name)
        .kind(IndexKind.GLOBAL)
        .column("f:" + column)
        .type(type)
        .build();
  }

  private static List<String> obsolete(VersionRules rules, String cells) throws IOException {
    List<String> found = new ArrayList<>();
    List<IndexDefinition> indexes =
        List.of(index("a", "a", ValueType.STRING), index("b", "bb", ValueType.STRING));
    ObsoleteVersions versions =
        new ObsoleteVersions(
            indexes,
            rules,
            NOW,
            (i, e) -> found.add(i.name() + " " + Bytes.toString(e.row()) + " @" + e.timestamp()));
    for (Cell c : TextCells.parse(cells)) {
      versions.add(c);
    }
    return found;
  }

  @Test
  void newestVersionsStay() throws IOException {
    String cells =
        """
        r a 3 put x
        r a 2 put y
        r a 1 put x
        r bb 9 put z
        s a 1 put x
        s c 2 put x
        s c 1 put x
        """;
    assertThat(obsolete(ONE, cells)).containsExactly("a r @2", "a r @1");
    assertThat(obsolete(rules(2), cells)).containsExactly("a r @1");
    assertThat(obsolete(rules(3), cells)).isEmpty();
  }

  @Test
  void ofEqualTimestampsTheFirstStays() throws IOException {
    assertThat(
            obsolete(
                rules(3),
                """
                r a 3 put x seq=7
                r a 3 put y seq=6
                r a 2 put y
                r a 1 put z
                """))
        .containsExactly("a r @3");
  }

  @Test
  void markersCoverWhatIsBelow() throws IOException {
    VersionRules many = rules(100);
    assertThat(
            obsolete(
                many,
                """
                r a 5 put x
                r a 4 column
                r a 4 put x
                r a 3 put x
                r bb 3 put x
                """))
        .containsExactly("a r @4", "a r @3");
    assertThat(
            obsolete(
                many,
                """
                r - 3 family
                r a 4 put x
                r a 3 put x
                r bb 2 put x
                s a 1 put x
                """))
        .containsExactly("a r @3", "b r @2");
    assertThat(
            obsolete(
                many,
                """
                r a 4 put x
                r a 3 delete
                r a 3 put x
                r a 2 put x
                """))
        .containsExactly("a r @3");
    assertThat(
            obsolete(
                many,
                """
                r - 2 familyversion
                r a 3 put x
                r a 2 put x
                r a 1 put x
                r bb 2 put x
                """))
        .containsExactly("a r @2", "b r @2");
  }

  @Test
  void lifetimes() throws IOException {
    String cells =
        """
        r a 900 put x ttl=50
        r a 899 put x ttl=200
        r a 500 put x
        r a 499 put x
        r a 1 put x
        """;
    assertThat(obsolete(rules(100), cells)).containsExactly("a r @900");
    assertThat(obsolete(new VersionRules(100, 0, 500, false, false), cells))
        .containsExactly("a r @900", "a r @499", "a r @1");
    assertThat(obsolete(new VersionRules(100, 4, 500, false, false), cells))
        .containsExactly("a r @900", "a r @1");
  }

  @Test
  void undecodableValuesHaveNoEntryAndAColumnMayHaveTwoIndexes() throws IOException {
    List<String> found = new ArrayList<>();
    ObsoleteVersions versions =
        new ObsoleteVersions(
            List.of(index("text", "a", ValueType.STRING), index("number", "a", ValueType.LONG)),
            ONE,
            NOW,
            (i, e) -> found.add(i.name() + " @" + e.timestamp()));
    for (Cell c :
        TextCells.parse(
            """
            r a 3 put x
            r a 2 put eight888
            r a 1 put nine
            """)) {
      versions.add(c);
    }
    assertThat(found).containsExactly("text @2", "number @2", "text @1");
  }
}
