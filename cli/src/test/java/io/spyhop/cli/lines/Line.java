package io.spyhop.cli.lines;

import io.spyhop.cli.lines.ClassShape.Member;
import java.io.Closeable;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The class path of this test with another version of some of its jars. A class of one of these
 * jars is there only if the other version has it. Not thread-safe.
 */
final class Line implements Closeable {
  private static final Pattern ARTIFACT = Pattern.compile("/([^/]+?)-\\d[^/]*\\.jar!");

  private final URLClassLoader jars;
  private final Set<String> artifacts = new TreeSet<>();
  private final Map<String, Optional<ClassShape>> known = new HashMap<>();
  private final Map<String, Set<ClassShape>> above = new HashMap<>();

  private Line(List<URL> jars) {
    this.jars = new URLClassLoader(jars.toArray(URL[]::new), null);
    jars.forEach(jar -> artifacts.add(artifact(jar + "!")));
  }

  /** The class path as it is. */
  static Line present() {
    return new Line(List.of());
  }

  /** With the jars of a directory instead of those of the same artifacts. */
  static Line of(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return new Line(files.sorted().map(Line::url).toList());
    }
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String artifact(String url) {
    Matcher m = ARTIFACT.matcher(url);
    return m.find() ? m.group(1) : "";
  }

  /** The artifacts of which it has another version, sorted. */
  Set<String> artifacts() {
    return artifacts;
  }

  /** Whether a class of the present class path is in one of these artifacts. */
  boolean replaces(String name) {
    URL here = ClassLoader.getSystemResource(name + ".class");
    return here != null && artifacts.contains(artifact(here.toString()));
  }

  /** A class; empty if nobody has it, and if a replaced jar has lost it. */
  Optional<ClassShape> find(String name) {
    Optional<ClassShape> found = known.get(name);
    if (found == null) {
      URL file = jars.findResource(name + ".class");
      if (file == null && !replaces(name)) {
        file = ClassLoader.getSystemResource(name + ".class");
      }
      found = Optional.ofNullable(file).map(ClassShape::read);
      known.put(name, found);
    }
    return found;
  }

  /** Whether a class or one above it has a member. */
  boolean has(String owner, Member member) {
    return above(owner).stream().anyMatch(c -> c.members().containsKey(member));
  }

  /** A class and all above it, as far as they are there; superclasses before interfaces. */
  Set<ClassShape> above(String name) {
    Set<ClassShape> all = above.get(name);
    if (all == null) {
      all = new LinkedHashSet<>();
      addAbove(name, all);
      above.put(name, all);
    }
    return all;
  }

  private void addAbove(String name, Set<ClassShape> all) {
    Optional<ClassShape> c = find(name);
    if (c.isPresent() && all.add(c.get())) {
      c.get().supers().forEach(s -> addAbove(s, all));
    }
  }

  @Override
  public void close() throws IOException {
    jars.close();
  }
}
