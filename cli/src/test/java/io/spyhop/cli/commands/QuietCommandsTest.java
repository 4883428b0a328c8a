package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.output.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Every command that there is does what it is for without a word on standard error, but for the
 * line that says how many rows a query had.
 */
class QuietCommandsTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  /** What has a test of its own, which looks at standard error, too, or runs without end. */
  private static final Map<String, Class<?>> ELSEWHERE =
      Map.ofEntries(
          Map.entry("demo", DemoTest.class),
          Map.entry("console", ConsoleTest.class),
          Map.entry("gateway", GatewayCommandTest.class),
          Map.entry("cluster start", ClusterCommandTest.class),
          Map.entry("cluster status", ClusterCommandTest.class),
          Map.entry("cluster kill", ClusterCommandTest.class),
          Map.entry("cluster restart", ClusterCommandTest.class),
          Map.entry("cluster add", ClusterCommandTest.class),
          Map.entry("cluster stop", ClusterCommandTest.class),
          Map.entry("bench costs", BenchCostsTest.class),
          Map.entry("bench mdrq", BenchMdrqTest.class));

  /** Measurements that take minutes, and the server, which runs until it is told to end. */
  private static final Set<String> NOT_TESTED =
      Set.of(
          "bench deli",
          "bench dynahash",
          "bench order",
          "bench pruning",
          "bench remix",
          "bench scale",
          "server");

  private static final Map<String, List<List<String>>> RUNS = new LinkedHashMap<>();

  @TempDir private static Path dir;

  @BeforeAll
  static void plan() throws IOException {
    Path rows = dir.resolve("rows.csv");
    Files.writeString(rows, "k,d:name,d:weight\na,cod,1.5\nb,eel,0.5\nc,ray,12\n");
    Path results = dir.resolve("results.json");
    Json.write(results, Samples.row("order"));
    runs("import", "quiet|" + rows);
    runs(
        "index create",
        "quiet|weight|--column|d:weight|--type|TEXT_DOUBLE|--wait",
        "quiet|name|--column|d:name|--type|STRING|--kind|global|--wait");
    runs("index list", "quiet");
    runs("index status", "quiet");
    runs("index jobs", "");
    runs("index rebuild", "quiet|name|--wait");
    runs("index verify", "quiet|weight", "quiet|name");
    runs(
        "query",
        "quiet",
        "quiet|weight > 1",
        "quiet|name = 'eel'",
        "quiet|weight > 1 AND name > 'd'|--select|d:name|--limit|1",
        "quiet|--order-by|weight|--desc|--limit|2",
        "quiet|--order-by|name|--limit|2",
        "quiet|--order-by|CAST(d:name AS STRING)|--format|json",
        "quiet|weight > 1|--hint|index|--consistency|batched",
        "quiet|name = 'eel'|--on-unavailable|fail");
    runs(
        "explain",
        "quiet",
        "quiet|weight > 1",
        "quiet|name = 'eel'|--analyze",
        "quiet|--order-by|weight|--limit|1|--analyze");
    runs(
        "sql",
        "SELECT name FROM quiet WHERE weight > 1 ORDER BY weight DESC LIMIT 2",
        "SELECT COUNT(*), MAX(weight) FROM quiet|--format|csv",
        "EXPLAIN PLAN FOR SELECT * FROM quiet WHERE name LIKE 'c%'");
    runs("view enable", "quiet|d");
    runs("view status", "quiet|d");
    runs("view disable", "quiet|d");
    runs("buckets create", "quiet_buckets|--family|d|--bits|2");
    runs("buckets", "quiet_buckets");
    runs("rebalance", "quiet_buckets");
    runs("doctor", "");
    runs("index drop", "quiet|weight", "quiet|name");
    runs("report", results + "|--out|" + dir.resolve("report.html"));
  }

  /**
   * @param arguments of each run, with bars between them
   */
  private static void runs(String command, String... arguments) {
    RUNS.put(
        command,
        Stream.of(arguments).map(a -> Splitter.on('|').omitEmptyStrings().splitToList(a)).toList());
  }

  private static void addCommands(CommandLine line, String words, Set<String> all) {
    if (line.getCommandSpec().userObject() instanceof Callable) {
      all.add(words);
    }
    line.getSubcommands()
        .forEach((name, sub) -> addCommands(sub, (words + " " + name).strip(), all));
  }

  @Test
  void allCommandsAreKnown() {
    Set<String> all = new LinkedHashSet<>();
    addCommands(SpyhopCommand.commandLine(), "", all);
    Set<String> known = new LinkedHashSet<>(RUNS.keySet());
    known.addAll(ELSEWHERE.keySet());
    known.addAll(NOT_TESTED);
    assertThat(all).containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void nothingIsOnStandardError() {
    RUNS.forEach((command, runs) -> runs.forEach(run -> runsQuietly(command, run)));
  }

  private static void runsQuietly(String command, List<String> arguments) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(arguments);
    String[] asked = words.toArray(new String[0]);
    Run run = command.equals("report") ? Cli.run(asked) : HBASE.run(asked);
    assertThat(run.err().lines().filter(line -> !line.matches("[\\d,]+ rows in [\\d.]+ s")))
        .as("%s", words)
        .isEmpty();
    if (!command.equals("doctor")) { // which says what else is wrong here
      assertThat(run.code()).as("%s: %s", words, run.out()).isZero();
    }
  }
}
