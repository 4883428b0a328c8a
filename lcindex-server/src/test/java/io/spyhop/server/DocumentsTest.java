package io.spyhop.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Classes and files that the documents name are there. */
class DocumentsTest {
  private static final Path ROOT = Checkout.ROOT;

  /** In code marks: a class by its simple name, with a method or without. */
  private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]+[A-Z]\\w*)(?:\\.\\w+)?`");

  /** The same in the comment of a package, which the compiler does not read. */
  private static final Pattern COMMENTED = Pattern.compile("\\{@code[\\s*]+([A-Z][a-z]+[A-Z]\\w*)");

  private static final Pattern FILE = Pattern.compile("[`/]([a-z][\\w/]*/\\w+\\.java)`");

  /** A package, or a class with its package. */
  private static final Pattern QUALIFIED =
      Pattern.compile("`(io\\.spyhop(?:\\.[a-z]+)+)(?:\\.([A-Z]\\w*))?");

  /** Of the distribution. */
  private static final Pattern COMMAND = Pattern.compile("(?m)(?:^|`)bin/([\\w-]+)");

  /** To a file, to a heading of it, or to one of the same page. */
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#]*)(?:#([^)]+))?\\)");

  /** A section of a page, as messages name it. */
  private static final Pattern SECTION = Pattern.compile("(docs/[\\w/-]+\\.md), '([^']+)'");

  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern WORD = Pattern.compile("[\\w'`./-]+");

  /** So many words in a row do not stand in two documents by chance. */
  private static final int SAME_TEXT = 12;

  private static final Set<String> OURS = new HashSet<>();
  private static final Set<String> CLASSES = new HashSet<>();

  @BeforeAll
  static void find() throws IOException {
    Checkout.files().stream()
        .map(Path::toString)
        .filter(f -> f.contains("/src/") && f.endsWith(".java"))
        .forEach(OURS::add);
    for (String f : OURS) {
      CLASSES.add(f.substring(f.lastIndexOf('/') + 1, f.length() - ".java".length()));
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (entry.endsWith(".jar")) {
        addClasses(entry);
      }
    }
  }

  private static void addClasses(String jar) throws IOException {
    try (JarFile file = new JarFile(jar)) {
      file.stream()
          .map(e -> e.getName())
          .filter(n -> n.endsWith(".class"))
          .map(n -> n.substring(n.lastIndexOf('/') + 1, n.length() - ".class".length()))
          .forEach(n -> CLASSES.add(n.substring(n.lastIndexOf('$') + 1)));
    }
  }

  @Test
  void classesAreThere() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path document : documents()) {
      CLASS
          .matcher(Files.readString(document))
          .results()
          .map(m -> m.group(1))
          .filter(c -> !CLASSES.contains(c))
          .forEach(c -> missing.add(document.getFileName() + ": " + c));
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void classesOfPackageCommentsAreThere() throws IOException {
    List<String> missing = new ArrayList<>();
    for (String file : OURS) {
      if (file.endsWith("/package-info.java")) {
        COMMENTED
            .matcher(Files.readString(Path.of(file)))
            .results()
            .map(m -> m.group(1))
            .filter(c -> !CLASSES.contains(c))
            .forEach(c -> missing.add(file + ": " + c));
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void filesAreThere() throws IOException {
    List<String> missing = new ArrayList<>();
    int found = 0;
    for (Path document : documents()) {
      for (MatchResult m : FILE.matcher(Files.readString(document)).results().toList()) {
        found++;
        if (OURS.stream().noneMatch(f -> f.endsWith("/" + m.group(1)))) {
          missing.add(document.getFileName() + ": " + m.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(found).isPositive();
  }

  @Test
  void packagesAreThere() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path document : documents()) {
      for (MatchResult m : QUALIFIED.matcher(Files.readString(document)).results().toList()) {
        String end = m.group(2) == null ? "/" : "/" + m.group(2) + ".java";
        String path = "/" + m.group(1).replace('.', '/') + end;
        if (OURS.stream().noneMatch(f -> f.contains(path))) {
          missing.add(document.getFileName() + ": " + m.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** The fragments of conf/ are read as HBase reads them, and set what the operator's page has. */
  @Test
  void settingsAreExplained() throws IOException {
    String explained = Files.readString(ROOT.resolve("docs/operations.md"));
    try (Stream<Path> files = Files.list(ROOT.resolve("conf"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".xml")).toList()) {
        Configuration fragment = new Configuration(false);
        fragment.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        assertThat(fragment.size()).as("%s", file).isPositive();
        for (Map.Entry<String, String> setting : fragment) {
          if (setting.getKey().startsWith("spyhop.")) {
            assertThat(explained).contains("`" + setting.getKey() + "`");
          }
        }
      }
    }
  }

  /** A quoted setting of {@code spyhop}; a prefix of some ends in a dot. */
  private static final Pattern SETTING = Pattern.compile("\"(spyhop(?:\\.[a-z]+)+)\"");

  @Test
  void settingsThatAreReadAreExplained() throws IOException {
    String explained = Files.readString(ROOT.resolve("docs/operations.md"));
    Set<String> read = new HashSet<>();
    for (String file : OURS) {
      if (file.startsWith("../lcindex-server/src/main/")
          || file.startsWith("../pruning-client/src/main/")) {
        SETTING
            .matcher(Files.readString(Path.of(file)))
            .results()
            .map(m -> m.group(1))
            .forEach(read::add);
      }
    }
    assertThat(read)
        .hasSizeGreaterThan(35)
        .allMatch(setting -> explained.contains("| `" + setting + "` |"));
  }

  /** A user of the distribution alone has neither a checkout nor Maven. */
  @Test
  void theDistributionHasWhatItsReadmeSays() throws IOException {
    Path main = ROOT.resolve("dist/src/main");
    String readme = Files.readString(main.resolve("README.md"));
    assertThat(readme).doesNotContain("./spyhop", "scripts/", "mvn ");
    assertThat(COMMAND.matcher(readme).results().map(m -> m.group(1)))
        .contains("spyhop", "ycsb", "spyhop-server")
        .allSatisfy(command -> assertThat(main.resolve("bin").resolve(command)).isExecutable());
    String assembly = Files.readString(main.resolve("assembly/tarball.xml"));
    assertThat(LINK.matcher(readme).results().map(m -> m.group(1)))
        .allSatisfy(
            link ->
                assertThat(assembly)
                    .containsAnyOf("<include>" + link + "<", "../" + link.split("/")[0] + "<"));
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
      for (Path page : pages.filter(p -> p.toString().endsWith(".md")).toList()) {
        assertThat(Files.readString(page))
            .as("%s", page)
            .doesNotContainPattern("`\\./spyhop [a-z]")
            .doesNotContainPattern("(?m)^\\./spyhop ");
      }
    }
  }

  /** Of two copies of a text one is forgotten: users left the balancer in place at uninstall. */
  @Test
  void textsAreKeptOnce() throws IOException {
    Map<String, Path> texts = new HashMap<>();
    List<String> twice = new ArrayList<>();
    for (Path page : pages()) {
      String prose = Files.readString(page).replaceAll("(?s)```java.*?```", "");
      List<String> words = WORD.matcher(prose).results().map(MatchResult::group).toList();
      for (int i = 0; i + SAME_TEXT <= words.size(); i++) {
        String text = String.join(" ", words.subList(i, i + SAME_TEXT));
        Path other = texts.putIfAbsent(text, page);
        if (other != null && !other.equals(page)) {
          twice.add(other + " and " + page + ": " + text);
        }
      }
    }
    assertThat(twice).isEmpty();
  }

  /** Files and headings that pages for users lead to. */
  @Test
  void decisionsAreTitledByTheirNumbers() throws IOException {
    try (Stream<Path> decisions = Files.list(ROOT.resolve("docs/decisions"))) {
      assertThat(decisions.toList())
          .isNotEmpty()
          .allSatisfy(
              d ->
                  assertThat(Files.readString(d))
                      .as("%s", d)
                      .startsWith("# " + d.getFileName().toString().substring(0, 4) + ": "));
    }
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> nowhere = new ArrayList<>();
    for (Path page : pages()) {
      Path from = page.startsWith(ROOT.resolve("dist")) ? ROOT : page.getParent();
      for (MatchResult m : LINK.matcher(Files.readString(page)).results().toList()) {
        Path to = m.group(1).isEmpty() ? page : from.resolve(m.group(1));
        boolean made = m.group(1).equals("THIRD-PARTY.txt"); // with the distribution
        if (!made && !(Files.exists(to) && (m.group(2) == null || hasHeading(to, m.group(2))))) {
          nowhere.add(page + ": " + m.group());
        }
      }
    }
    assertThat(nowhere).isEmpty();
  }

  /** What messages tell users to read. */
  @Test
  void sectionsThatMessagesNameAreThere() throws IOException {
    List<String> nowhere = new ArrayList<>();
    int found = 0;
    for (String file : OURS) {
      if (!file.contains("/src/main/")) {
        continue;
      }
      for (MatchResult m : SECTION.matcher(Files.readString(Path.of(file))).results().toList()) {
        found++;
        Path page = ROOT.resolve(m.group(1));
        if (!Files.exists(page) || !Files.readString(page).contains("\n## " + m.group(2) + "\n")) {
          nowhere.add(file + ": " + m.group());
        }
      }
    }
    assertThat(nowhere).isEmpty();
    assertThat(found).isPositive();
  }

  private static boolean hasHeading(Path page, String anchor) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(m -> m.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-'))
        .anyMatch(anchor::equals);
  }

  /** What users read: both READMEs and the manual. */
  private static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(
            List.of(ROOT.resolve("README.md"), ROOT.resolve("dist/src/main/README.md")));
    try (Stream<Path> manual = Files.list(ROOT.resolve("docs"))) {
      manual.filter(f -> f.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("ARCHITECTURE.md")));
    try (Stream<Path> formats = Files.list(ROOT.resolve("docs/formats"))) {
      formats.filter(f -> f.toString().endsWith(".md")).forEach(documents::add);
    }
    return documents;
  }
}
