package io.spyhop.server.crash;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lines of Spyhop in the logs of servers: of its classes, of its threads, and of HBase's client,
 * which hardly anything else uses there. Not thread-safe.
 */
final class ServerLogs {
  /** So many kinds of lines a minute are few, on all servers together. */
  static final int KINDS = 20;

  /** Time, level, thread, and class with its package. */
  private static final Pattern LINE =
      Pattern.compile("^\\d{4}-\\S+ \\S+ \\S+ +\\[(.*)] ([\\w$]+\\.[\\w$]+): .*");

  private static final List<String> SOURCES =
      List.of("src/main/java", "../deli-core/src/main/java", "../pruning-client/src/main/java");

  private final List<Path> logs;
  private final Map<Path, Integer> read = new HashMap<>();
  private final Set<String> classes = new HashSet<>();

  ServerLogs(List<Path> logs) throws IOException {
    this.logs = logs;
    for (String root : SOURCES) {
      try (Stream<Path> sources = Files.walk(Path.of(root))) {
        sources
            .filter(s -> s.toString().endsWith(".java"))
            .forEach(s -> classes.add(s.getParent().getFileName() + "." + name(s)));
      }
    }
  }

  private static String name(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  /**
   * Lines since {@link #begin}.
   *
   * @param examples one of each kind, with how many there are
   */
  record Count(int lines, int stacks, String examples) {}

  /** Counts from here on. */
  void begin() throws IOException {
    for (Path log : logs) {
      read.put(log, lines(log).size());
    }
  }

  Count count() throws IOException {
    int lines = 0;
    int stacks = 0;
    Map<String, Integer> kinds = new TreeMap<>();
    Map<String, String> examples = new HashMap<>();
    for (Path log : logs) {
      List<String> all = lines(log);
      boolean ours = false;
      for (String line : all.subList(Math.min(read.get(log), all.size()), all.size())) {
        Matcher parts = LINE.matcher(line);
        if (parts.matches()) {
          ours = isOurs(parts.group(1), parts.group(2));
          if (ours) {
            lines++;
            String kind = line.replaceAll("^\\S+ \\S+ ", "").replaceAll("[0-9a-f]{6,}|\\d+", "#");
            kind = kind.substring(0, Math.min(80, kind.length()));
            kinds.merge(kind, 1, Integer::sum);
            examples.putIfAbsent(kind, line);
          }
        } else if (ours) {
          stacks++;
        }
      }
    }
    String found =
        kinds.entrySet().stream()
            .map(k -> k.getValue() + " x " + examples.get(k.getKey()))
            .collect(Collectors.joining("\n"));
    return new Count(lines, stacks, found);
  }

  private boolean isOurs(String thread, String category) {
    return thread.contains("spyhop")
        || category.startsWith("client.")
        || classes.contains(category);
  }

  private static List<String> lines(Path log) throws IOException {
    return Files.exists(log) ? Files.readAllLines(log, StandardCharsets.ISO_8859_1) : List.of();
  }
}
