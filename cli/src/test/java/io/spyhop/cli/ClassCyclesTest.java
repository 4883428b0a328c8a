package io.spyhop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Counts the classes that need each other in a circle, in all modules that the commands are made
 * of: a reader of one of them has to read all. A class counts with those that are nested in it.
 */
class ClassCyclesTest {
  /** The sizes of all circles of more than two. They may only fall: put the smaller ones here. */
  private static final List<Integer> SIZES = List.of(15, 6, 5, 3, 3, 3);

  @Test
  void circlesOnlyShrink() {
    List<Set<String>> circles = circles(uses());
    assertThat(circles.stream().map(Set::size).toList())
        .as("circles: %s", circles)
        .isEqualTo(SIZES);
  }

  @Test
  void findsCircles() {
    Map<String, Set<String>> uses =
        Map.of(
            "A", Set.of("B"),
            "B", Set.of("C", "D"),
            "C", Set.of("A"),
            "D", Set.of("E"),
            "E", Set.of("D"),
            "F", Set.of("A", "D"));
    assertThat(circles(uses)).containsExactly(Set.of("A", "B", "C"));
  }

  private static Map<String, Set<String>> uses() {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass c :
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("io.spyhop")) {
      for (Dependency d : c.getDirectDependenciesFromSelf()) {
        String from = outermost(c);
        String to = outermost(d.getTargetClass().getBaseComponentType());
        if (to.startsWith("io.spyhop.") && !to.equals(from)) {
          uses.computeIfAbsent(from, k -> new TreeSet<>()).add(to);
        }
      }
    }
    return uses;
  }

  private static String outermost(JavaClass c) {
    return c.getEnclosingClass().map(ClassCyclesTest::outermost).orElse(c.getName());
  }

  /** Components of more than two classes, the largest first: Tarjan's strongly connected ones. */
  private static List<Set<String>> circles(Map<String, Set<String>> uses) {
    Components components = new Components(uses);
    uses.keySet().stream().sorted().forEach(components::visit);
    return components.found.stream()
        .filter(c -> c.size() > 2)
        .sorted(Comparator.<Set<String>>comparingInt(Set::size).reversed())
        .toList();
  }

  private static final class Components {
    final List<Set<String>> found = new ArrayList<>();
    private final Map<String, Set<String>> uses;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();

    Components(Map<String, Set<String>> uses) {
      this.uses = uses;
    }

    void visit(String c) {
      if (index.containsKey(c)) {
        return;
      }
      index.put(c, index.size());
      low.put(c, index.get(c));
      open.push(c);
      for (String to : uses.getOrDefault(c, Set.of())) {
        if (!index.containsKey(to)) {
          visit(to);
          low.merge(c, low.get(to), Math::min);
        } else if (open.contains(to)) {
          low.merge(c, index.get(to), Math::min);
        }
      }
      if (low.get(c).equals(index.get(c))) {
        Set<String> component = new TreeSet<>();
        String member;
        do {
          member = open.pop();
          component.add(member);
        } while (!member.equals(c));
        found.add(component);
      }
    }
  }
}
