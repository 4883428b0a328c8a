package io.spyhop.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prints the alarms that are true on any server. Arguments: a directory with what servers showed
 * before, a file each, and one with what they show now.
 */
final class Alarms {
  private Alarms() {}

  public static void main(String[] args) throws IOException {
    Set<String> firing = new TreeSet<>();
    List<Path> servers;
    try (Stream<Path> files = Files.list(Path.of(args[1]))) {
      servers = files.toList();
    }
    for (Path now : servers) {
      Path before = Path.of(args[0]).resolve(now.getFileName());
      if (Files.exists(before)) {
        addFiring(values(before), values(now), firing);
      }
    }
    firing.forEach(System.out::println);
  }

  private static Map<String, Double> values(Path file) throws IOException {
    return Alarm.values(Files.readString(file));
  }

  private static void addFiring(
      Map<String, Double> before, Map<String, Double> now, Set<String> firing) throws IOException {
    for (Alarm alarm : Alarm.all()) {
      boolean known = before.containsKey(alarm.metric()) && now.containsKey(alarm.metric());
      if (known && alarm.fires(before, now)) {
        firing.add(alarm.name());
      }
    }
  }
}
