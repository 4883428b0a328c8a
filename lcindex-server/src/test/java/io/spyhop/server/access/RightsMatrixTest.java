package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.spyhop.server.access.Viewer.Site;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each cell of the table in docs/security.md is what happens: for everybody, along every way, in
 * clusters that check access in different ways. Nothing that comes back, errors too, holds a row
 * key or value that HBase's own scan does not show the same user; and all is the same, the counters
 * too, after more was written that the user may not see.
 */
class RightsMatrixTest {
  private static final Map<Way, Map<Viewer, Cell>> CELLS = new EnumMap<>(Way.class);

  /** The observations of one user of a way; the second time more is hidden from the user. */
  private static final class Cell {
    private Observation first;
    private Observation second;
    private Throwable failure;

    void see(Way way, Caller caller) {
      try {
        Observation seen = way.go(caller);
        second = first == null ? null : seen;
        first = first == null ? seen : first;
      } catch (Exception | AssertionError e) {
        failure = failure == null ? e : failure;
      }
    }
  }

  @BeforeAll
  static void go() throws Exception {
    for (Site site : Site.values()) {
      try (MatrixCluster cluster = MatrixCluster.start(site)) {
        go(cluster, site);
      }
    }
  }

  private static void go(MatrixCluster cluster, Site site) throws Exception {
    Map<Viewer, Caller> callers = new LinkedHashMap<>();
    try {
      for (Viewer viewer : Viewer.of(site)) {
        callers.put(viewer, cluster.caller(viewer));
      }
      go(callers, false);
      cluster.hide();
      for (Caller caller : callers.values()) {
        caller.look();
      }
      Map<Viewer, Caller> kept = new LinkedHashMap<>(callers);
      kept.values().removeIf(c -> !c.isKeptFromSomething());
      go(kept, false);
      go(callers, true);
    } finally {
      for (Caller caller : callers.values()) {
        caller.close();
      }
    }
  }

  private static void go(Map<Viewer, Caller> callers, boolean changing) {
    for (Way way : Way.values()) {
      if (way.changes() == changing) {
        callers.forEach((viewer, caller) -> cell(way, viewer).see(way, caller));
      }
    }
  }

  private static Cell cell(Way way, Viewer viewer) {
    return CELLS
        .computeIfAbsent(way, w -> new EnumMap<>(Viewer.class))
        .computeIfAbsent(viewer, v -> new Cell());
  }

  @Test
  void theTableHasAllWaysAndUsers() throws IOException {
    RightsTable table = RightsTable.read();
    assertThat(table.ways())
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(Way.values()).map(Way::title).toList());
    assertThat(table.headings())
        .containsExactlyElementsOf(
            Arrays.stream(Viewer.values()).map(Viewer::heading).distinct().toList());
  }

  @TestFactory
  Stream<DynamicNode> cellsOfTheTable() throws IOException {
    RightsTable table = RightsTable.read();
    return Arrays.stream(Way.values())
        .map(
            way ->
                dynamicContainer(
                    way.title(), Arrays.stream(Viewer.values()).map(v -> test(table, way, v))));
  }

  private static DynamicTest test(RightsTable table, Way way, Viewer viewer) {
    return dynamicTest(
        viewer.toString(),
        () -> {
          Cell cell = cell(way, viewer);
          if (cell.failure != null) {
            throw new AssertionError(way + " for " + viewer, cell.failure);
          }
          assertThat(cell.first.outcome()).isEqualTo(table.cell(way.title(), viewer.heading()));
          if (cell.second != null) {
            assertThat(cell.second).as("with more that is hidden").isEqualTo(cell.first);
          }
        });
  }
}
