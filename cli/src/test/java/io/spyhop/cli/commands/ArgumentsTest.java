package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.mdrq.State;
import io.spyhop.cli.commands.Cli.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

class ArgumentsTest {
  @TempDir private Path dir;

  private static void shouldRefuse(int code, String message, String... args) {
    Run run = Cli.run(args);
    assertThat(run.err()).startsWith("spyhop: ").contains(message);
    assertThat(run.err().strip().lines()).as("one line").hasSize(1);
    assertThat(run.code()).isEqualTo(code);
  }

  /** All of them, with the words that call them. */
  static Stream<Arguments> commands() {
    return commands(SpyhopCommand.commandLine(), List.of());
  }

  private static Stream<Arguments> commands(CommandLine command, List<String> words) {
    return Stream.concat(
        Stream.of(Arguments.of(words)),
        command.getSubcommands().entrySet().stream()
            .flatMap(
                e -> {
                  List<String> more = new ArrayList<>(words);
                  more.add(e.getKey());
                  return commands(e.getValue(), more);
                }));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelp(List<String> words) {
    PrintStream err = System.err;
    ByteArrayOutputStream warnings = new ByteArrayOutputStream();
    System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
    List<String> asked = new ArrayList<>(words);
    asked.add("--help");
    Run run;
    try {
      run = Cli.run(asked.toArray(new String[0]));
    } finally {
      System.setErr(err);
    }
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(warnings.toString(StandardCharsets.UTF_8)).doesNotContain("picocli");
    assertThat(run.out())
        .contains(("Usage: spyhop " + String.join(" ", words)).strip(), "Exit codes:");
  }

  /** What is set in, or begins with a term, goes on below its own text. */
  @ParameterizedTest
  @MethodSource("commands")
  void helpThatWrapsKeepsItsIndent(List<String> words) {
    CommandLine command = SpyhopCommand.commandLine();
    for (String word : words) {
      command = command.getSubcommands().get(word);
    }
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    command.setUsageHelpAutoWidth(false);
    usage.width(60);
    StringWriter help = new StringWriter();
    command.usage(new PrintWriter(help));
    List<String> lines = help.toString().lines().toList();
    for (String text :
        Stream.of(usage.description(), usage.footer()).flatMap(Stream::of).toList()) {
      String whole = String.format(text);
      if (whole.length() > 60) {
        int first =
            lines.indexOf(
                lines.stream()
                    .filter(l -> !l.isBlank() && whole.startsWith(l))
                    .max(Comparator.comparingInt(String::length))
                    .orElseThrow());
        int indent = whole.indexOf(whole.strip());
        int next = first;
        StringBuilder joined = new StringBuilder(lines.get(first));
        while (joined.length() < whole.stripTrailing().length()) {
          String line = lines.get(++next);
          assertThat(line)
              .as("%s: below '%s'", words, lines.get(first))
              .startsWith(" ".repeat(indent))
              .hasSizeLessThanOrEqualTo(60);
          if (indent > 0 && whole.strip().contains("  ")) {
            int definition = whole.indexOf("  ", indent);
            assertThat(line).startsWith(" ".repeat(definition + 2));
          }
          joined.append(' ').append(line.strip());
        }
        assertThat(joined.toString()).isEqualTo(whole.stripTrailing());
      }
    }
  }

  @Test
  void helpOfTheBenchmarkNamesTheJsonKeys() {
    String help = Cli.run("bench", "mdrq", "--help").out();
    assertThat(help)
        .contains(
            List.of(
                "rows",
                "regions",
                "insert",
                "plain_rows_per_s",
                "spyhop_rows_per_s",
                "ratio",
                "indexed_after_s",
                "bytes",
                "base",
                "ifiles",
                "sfiles",
                "queries",
                "name",
                "state",
                "layout",
                "plain_ms",
                "spyhop_ms",
                "floor_ms",
                "driving",
                "records_read",
                "equal",
                "plain_filter",
                "plain_predicate_ms",
                "plain_scvf_ms",
                "rereads",
                "floor_regions_ms",
                "floor_best_ms",
                "of_floor",
                "mb_read",
                "cpu_ms",
                "qps",
                "p99_ms",
                "aggregates",
                "states",
                "puts",
                "beside_longest_ms"))
        .contains(State.labels());
  }

  @Test
  void theVersionIsFilledIn() {
    assertThat(Cli.run("--version").out()).startsWith("spyhop ").doesNotContain("$");
  }

  @Test
  void commandsAreAskedFor() {
    shouldRefuse(2, "which command?");
    shouldRefuse(2, "create, drop, jobs, list, rebuild, status or verify?", "index");
    shouldRefuse(2, "which benchmark", "bench");
    shouldRefuse(2, "whose buckets?", "buckets");
    shouldRefuse(2, "frobnicate", "frobnicate");
  }

  @Test
  void whatIsMissingIsNamed() {
    shouldRefuse(2, "--column", "index", "create", "t", "i", "--type", "LONG");
    shouldRefuse(2, "--dir", "server");
  }

  @Test
  void numbersAreChecked() {
    shouldRefuse(2, "--rows 0 is less than 1", "demo", "--rows", "0");
    shouldRefuse(2, "--regions 5 is not in 1..4", "demo", "--rows", "4", "--regions", "5");
    shouldRefuse(2, "--repetitions 0", "bench", "mdrq", "--repetitions", "0");
    shouldRefuse(2, "--turn-ms -1 is less than 0", "bench", "mdrq", "--turn-ms", "-1");
    shouldRefuse(2, "--state warm is not one of [flushed", "bench", "mdrq", "--state", "warm");
    shouldRefuse(2, "--layout", "bench", "mdrq", "--layout", "rows");
    shouldRefuse(2, "'many' is not a long", "demo", "--rows", "many");
    shouldRefuse(
        2, "ZooKeeper port 99999", "server", "--dir", dir.toString(), "--zookeeper-port", "99999");
  }

  @Test
  void filesAreCheckedBeforeTheWork() {
    shouldRefuse(1, "cannot write", "demo", "--json", dir.resolve("no/such.json").toString());
    shouldRefuse(1, "cannot read", "query", "t", "a = 1", "--conf", dir.toString());
  }

  /** As HBase's own scripts take it. */
  @Test
  void theEnvironmentNamesAConfiguration() throws IOException, InterruptedException {
    assertThat(withConfDir("query", "t"))
        .isEqualTo("spyhop: HBASE_CONF_DIR: cannot read '" + dir.resolve("hbase-site.xml") + "'");
    assertThat(withConfDir("query", "t", "--conf", "/nowhere"))
        .isEqualTo("spyhop: --conf: cannot read '/nowhere'");
  }

  private String withConfDir(String... args) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.spyhop.cli.Main"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HBASE_CONF_DIR", dir.toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isOne();
    // From 24 on Java warns of what HBase's libraries do.
    boolean warns = Runtime.version().feature() >= 24;
    return said.lines()
        .filter(l -> !warns || !l.startsWith("WARNING: "))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void aDirectoryWithContentsIsNotKept() throws IOException {
    Files.createFile(dir.resolve("mine"));
    shouldRefuse(1, "is not empty", "demo", "--keep", dir.toString());
  }

  @Test
  void definitionsAreCheckedBeforeAnybodyIsAsked() {
    String[] create = {"index", "create", "t", "i", "--column", "d:a", "--type", "LONG"};
    shouldRefuse(2, "expected one of [STRING", with(create, "--type", "FISH"));
    shouldRefuse(2, "min and max go together", with(create, "--min", "1"));
    shouldRefuse(2, "'x'", with(create, "--min", "x", "--max", "9"));
    shouldRefuse(2, "flags=0", with(create, "--flags", "0"));
    shouldRefuse(2, "--flags", with(create, "--flags", "9", "--kind", "global"));
    shouldRefuse(2, "--wait 0 is less than 1", with(create, "--wait", "0"));
    shouldRefuse(2, "family:qualifier", with(create, "--column", "a"));
  }

  private static String[] with(String[] args, String... more) {
    List<String> all = new ArrayList<>(List.of(args));
    for (int i = 0; i < more.length; i += 2) {
      int at = all.indexOf(more[i]);
      if (at >= 0) {
        all.set(at + 1, more[i + 1]);
      } else {
        all.add(more[i]);
        all.add(more[i + 1]);
      }
    }
    return all.toArray(new String[0]);
  }

  @Test
  void conditionsAreReadBeforeAnybodyIsAsked() {
    Run run = Cli.run("query", "t", "totalprice BETWEEN");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err().strip().lines()).hasSize(1);
    shouldRefuse(2, "limit 0", "query", "t", "a = 1", "--limit", "0");
    shouldRefuse(2, "--order-by", "query", "t", "a = 1", "--desc");
    shouldRefuse(2, "WHERE \"-5 <\"", "query", "t", "-5 <");
    shouldRefuse(2, "WHERE \"-5 <\"", "explain", "t", "-5 <");
    shouldRefuse(2, "--limt", "query", "t", "--limt");
    shouldRefuse(2, "--limt", "query", "t", "a = 1", "--limt", "5");
    shouldRefuse(2, "cannot be a table's name", "query", "a b", "a = 1");
  }

  @Test
  void configurationsAreNamed() throws IOException {
    String[] list = {"index", "list", "t", "--conf", dir.toString()};
    Path site = Files.writeString(dir.resolve("hbase-site.xml"), "<configuration><prop");
    shouldRefuse(1, "'" + site + "' is no configuration file", list);
    Files.writeString(site, "<configuration/>");
    Path core = Files.writeString(dir.resolve("core-site.xml"), "rubbish");
    shouldRefuse(1, "'" + core + "' is no configuration file", list);
    shouldRefuse(2, "--zookeeper is empty", "index", "list", "t", "--zookeeper", "");
  }

  @Test
  void credentialsAreChecked() throws IOException {
    String[] list = {"index", "list", "t", "--conf", dir.toString()};
    Files.writeString(dir.resolve("hbase-site.xml"), "<configuration/>");
    Path keytab = Files.createFile(dir.resolve("keys"));
    shouldRefuse(2, "--principal and --keytab go together", with(list, "--principal", "me@HERE"));
    String[] both = with(list, "--principal", "me@HERE", "--keytab", keytab.toString());
    shouldRefuse(2, "no hadoop.security.authentication=kerberos", both);
    shouldRefuse(1, "--keytab: cannot read", with(both, "--keytab", keytab + "x"));
    Files.writeString(
        dir.resolve("core-site.xml"),
        "<configuration><property><name>hadoop.security.authentication</name>"
            + "<value>kerberos</value></property></configuration>");
    try {
      shouldRefuse(1, "Kerberos", list);
    } finally {
      UserGroupInformation.reset();
      UserGroupInformation.setConfiguration(new Configuration());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1:99999",
        "localhost:0",
        "localhost:port",
        "host:2181:x",
        ":2181",
        ":::",
        "a,,b",
        "a b"
      })
  void addressesAreChecked(String address) {
    shouldRefuse(2, "--zookeeper: '", "query", "t", "a = 1", "--zookeeper", address);
  }

  @Test
  @Timeout(20)
  void nobodyThereIsSaidSoon() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    long start = System.nanoTime();
    shouldRefuse(
        1, "no ZooKeeper answers", "query", "t", "a = 1", "--zookeeper", "127.0.0.1:" + free);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void theStackTraceIsThereOnDemand() {
    assertThat(Cli.run("query", "t", "a =", "--debug").err())
        .contains("spyhop: ", "\tat io.spyhop.");
  }

  @Test
  void bucketsThatNoTableCanHaveAreRefused() {
    shouldRefuse(2, "--family", "buckets", "create", "t");
    shouldRefuse(2, "'d' is there twice", "buckets", "create", "t", "--family", "d,d");
    shouldRefuse(2, "buckets 3 is no power of two", created("--buckets", "3"));
    shouldRefuse(2, "buckets 0 is no power of two", created("--buckets", "0"));
    shouldRefuse(2, "more than 12 bits", created("--buckets", "8192"));
    shouldRefuse(2, "bits 13 is not from 1 to 12", created("--bits", "13"));
    shouldRefuse(2, "unknown hash function 'md5:1'", created("--hash", "md5:1"));
    shouldRefuse(2, "is not 1 byte or more", created("--max-size", "0"));
    shouldRefuse(2, "--max-size", created("--max-size", "much"));
  }

  private static String[] created(String option, String value) {
    return new String[] {"buckets", "create", "t", "--family", "d", option, value};
  }
}
