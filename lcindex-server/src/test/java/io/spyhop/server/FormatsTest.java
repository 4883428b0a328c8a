package io.spyhop.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Everything on disk or on the wire that the sources name has a page in docs/formats. */
class FormatsTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "")).resolve("..");
  private static final Path PAGES = ROOT.resolve("docs/formats");

  private static final Pattern MAGIC =
      Pattern.compile("(\\w+) = (0x5350[0-9A-Fa-f]{4}( \\+ 1)?)\\b");
  private static final Pattern VERSION = Pattern.compile("\\bint VERSION = (\\d+);");
  private static final Pattern TABLE_LINE =
      Pattern.compile("^\\| ((?:`SP[A-Z]{2}` ?)+) \\|.*\\| \\[[\\w-]+\\.md\\]\\(([\\w-]+\\.md)\\)");
  private static final Pattern QUESTION = Pattern.compile("\\(Place\\.\\w+, \"([\\w-]+)\"");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("String \\w+\\s*=\\s*\"(spyhop\\.[a-z.]+)\";");
  private static final Pattern SETTING = Pattern.compile("\"(spyhop(\\.[a-z]+){2,})\"");
  private static final Pattern METRIC = Pattern.compile("\"(spyhop[A-Z]\\w+)\"");
  private static final Pattern FILE_INFO = Pattern.compile("\"(SPYHOP_[A-Z_]+)\"");
  private static final Pattern PLACE =
      Pattern.compile("static final String \\w+ = \"(\\.[a-z][a-z-]*|\\.[is]file)\";");

  /** The main sources of what servers and clients run. */
  private static Map<Path, String> sources() throws IOException {
    Map<Path, String> sources = new TreeMap<>();
    for (String module : new String[] {"deli-core", "lcindex-server", "pruning-client"}) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          sources.put(file, Files.readString(file));
        }
      }
    }
    return sources;
  }

  private static String pages() throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      StringBuilder text = new StringBuilder();
      for (Path file : files.sorted().toList()) {
        text.append(Files.readString(file));
      }
      return text.toString();
    }
  }

  private static Set<String> named(Pattern pattern, String... modules) throws IOException {
    return sources().entrySet().stream()
        .filter(s -> Stream.of(modules).anyMatch(m -> s.getKey().startsWith(ROOT.resolve(m))))
        .flatMap(s -> pattern.matcher(s.getValue()).results())
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Four letters. */
  private static String tag(MatchResult magic) {
    String hex = magic.group(2).substring(2, 10);
    int value = Integer.parseUnsignedInt(hex, 16) + (magic.group(3) == null ? 0 : 1);
    byte[] letters = {
      (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
    };
    return new String(letters, StandardCharsets.US_ASCII);
  }

  /** The tags of all frames that the sources write, each with its version. */
  private static Map<String, String> frames() throws IOException {
    Map<String, String> frames = new TreeMap<>();
    for (Map.Entry<Path, String> source : sources().entrySet()) {
      Matcher version = VERSION.matcher(source.getValue());
      String found = version.find() ? version.group(1) : "none in " + source.getKey();
      MAGIC
          .matcher(source.getValue())
          .results()
          .forEach(
              magic ->
                  assertThat(frames.put(tag(magic), found))
                      .as("two formats %s", tag(magic))
                      .isNull());
    }
    return frames;
  }

  @Test
  void everyFrameIsInTheListAndOnItsPageWithItsVersion() throws IOException {
    Map<String, String> frames = frames();
    Set<String> listed = new TreeSet<>();
    for (String line : Files.readAllLines(PAGES.resolve("README.md"))) {
      Matcher entry = TABLE_LINE.matcher(line);
      if (entry.find()) {
        String page = Files.readString(PAGES.resolve(entry.group(2)));
        for (String tag : entry.group(1).replace("`", "").split(" ")) {
          listed.add(tag);
          assertThat(page)
              .as("page of %s", tag)
              .contains("`" + tag + "`", "version " + frames.get(tag));
        }
      }
    }
    assertThat(listed).hasSizeGreaterThan(20).isEqualTo(frames.keySet());
  }

  @Test
  void everyQuestionAttributeAndNameIsOnAPage() throws IOException {
    String pages = pages();
    assertThat(named(ATTRIBUTE, "deli-core")).allSatisfy(n -> assertThat(pages).contains(n));
    for (Pattern pattern : new Pattern[] {QUESTION, FILE_INFO, PLACE}) {
      Set<String> names = named(pattern, "deli-core", "lcindex-server");
      assertThat(names).as(pattern.toString()).isNotEmpty();
      assertThat(names).as(pattern.toString()).allSatisfy(name -> assertThat(pages).contains(name));
    }
  }

  @Test
  void everySettingAndMetricIsInTheOperatorsPage() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/operations.md"));
    for (Set<String> names :
        List.of(
            named(SETTING, "lcindex-server", "pruning-client"), named(METRIC, "lcindex-server"))) {
      assertThat(names).hasSizeGreaterThan(10).allSatisfy(n -> assertThat(page).contains(n));
    }
  }
}
