package io.spyhop.cli.lines;

import io.spyhop.cli.lines.ClassShape.Member;
import io.spyhop.cli.lines.ClassShape.Use;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Looks up what our classes need of the jars of a line: each class, field and method that they use,
 * each method that they must have, and each that they override. Not thread-safe.
 */
final class LinkCheck {
  private final Line present;
  private final Line line;
  private final Map<String, Set<String>> missing = new TreeMap<>();
  private final Set<Use> uses = new HashSet<>();

  private LinkCheck(Line present, Line line) {
    this.present = present;
    this.line = line;
  }

  /**
   * The findings about a line.
   *
   * @param uses how many members of its jars are used
   * @param missing what is not there, and the classes that want it
   */
  record Report(int uses, Map<String, Set<String>> missing) {}

  /** Looks up what some classes need. */
  static Report of(Collection<ClassShape> classes, Line present, Line line) {
    LinkCheck check = new LinkCheck(present, line);
    for (ClassShape c : classes) {
      check.findClasses(c);
      check.findUses(c);
      check.findAbstract(c);
      check.findOverrides(c);
    }
    return new Report(check.uses.size(), check.missing);
  }

  private void findClasses(ClassShape c) {
    for (String name : c.classes()) {
      if (line.replaces(name) && line.find(name).isEmpty()) {
        miss("class " + simple(name), c);
      }
    }
  }

  private void findUses(ClassShape c) {
    for (Use use : c.uses()) {
      if (line.replaces(use.owner()) && line.find(use.owner()).isPresent()) {
        uses.add(use);
        if (present.has(use.owner(), use.member()) && !line.has(use.owner(), use.member())) {
          miss(shown(use.owner(), use.member()), c);
        }
      }
    }
  }

  private void findAbstract(ClassShape c) {
    if ((c.access() & Opcodes.ACC_ABSTRACT) != 0) {
      return;
    }
    Set<ClassShape> all = line.above(c.name());
    for (ClassShape above : all) {
      above
          .members()
          .forEach(
              (member, access) -> {
                if (Modifier.isAbstract(access) && !isThere(member, all)) {
                  miss("new abstract " + shown(above.name(), member), c);
                }
              });
    }
  }

  private static boolean isThere(Member member, Set<ClassShape> all) {
    return all.stream()
        .map(c -> c.members().get(member))
        .anyMatch(access -> access != null && !Modifier.isAbstract(access));
  }

  private void findOverrides(ClassShape c) {
    for (ClassShape above : present.above(c.name())) {
      if (!line.replaces(above.name())) {
        continue;
      }
      for (Member member : overridable(c)) {
        if (above.members().containsKey(member) && !isDeclaredAbove(c, member)) {
          miss("nothing calls " + shown(above.name(), member), c);
        }
      }
    }
  }

  private static List<Member> overridable(ClassShape c) {
    List<Member> members = new ArrayList<>();
    c.members()
        .forEach(
            (member, access) -> {
              boolean own = Modifier.isStatic(access) || Modifier.isPrivate(access);
              if (member.isMethod() && !own && !member.name().startsWith("<")) {
                members.add(member);
              }
            });
    return members;
  }

  private boolean isDeclaredAbove(ClassShape c, Member member) {
    return line.above(c.name()).stream()
        .anyMatch(above -> !above.equals(c) && above.members().containsKey(member));
  }

  private void miss(String what, ClassShape by) {
    missing.computeIfAbsent(what, k -> new TreeSet<>()).add(simple(by.name()));
  }

  private static String shown(String owner, Member member) {
    if (!member.isMethod()) {
      return simple(owner) + "." + member.name();
    }
    String types =
        Arrays.stream(Type.getArgumentTypes(member.descriptor()))
            .map(t -> simple(t.getClassName()))
            .collect(Collectors.joining(", "));
    String result = simple(Type.getReturnType(member.descriptor()).getClassName());
    return simple(owner) + "." + member.name() + "(" + types + "): " + result;
  }

  private static String simple(String name) {
    return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1);
  }
}
