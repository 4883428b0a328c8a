package io.spyhop.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import io.spyhop.server.view.store.ViewRegion;
import io.spyhop.shell.HBaseShell.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the shell's answers word for word: each {@code NAME.rb} is typed into one shell, in the
 * order of their names, and what it prints is {@code NAME.txt}.
 */
class TranscriptsTest {
  private static final Path SCRIPTS = Path.of("src", "test", "resources", "transcripts");
  private static final Path COMMANDS = Path.of("src", "main", "ruby", "shell", "commands");
  private static final String BEGINS = "# ---- ";

  private static final String PAGE = "docs/shell.md";

  /** Makes the table that the page asks. */
  private static final Path SETUP = Path.of("src", "test", "resources", "page", "setup.rb");

  @TempDir private static Path home;
  private static final HBaseTestingUtility HBASE = new HBaseTestingUtility();
  private static final Map<String, String> PRINTED = new HashMap<>();
  private static Run run;

  @BeforeAll
  static void type() throws Exception {
    Configuration conf = HBASE.getConfiguration();
    conf.set("hbase.coprocessor.regionserver.classes", SpyhopRegionServer.class.getName());
    conf.set("hbase.coprocessor.master.classes", SpyhopMaster.class.getName());
    conf.set(SpyhopRpcSchedulerFactory.KEY, SpyhopRpcSchedulerFactory.class.getName());
    conf.set(HConstants.REGION_IMPL, ViewRegion.class.getName());
    String user = System.getProperty("user.name");
    conf.set("hbase.superuser", user + "," + user + ".hfs.0"); // the user of the server
    Path files = Files.createTempDirectory(Path.of("target"), "spyhop");
    conf.set("spyhop.ifile.dir", files.toUri().toString());
    HBASE.startMiniCluster(1);
    DamagedTable.make(HBASE.getConnection(), "broken");
    DamagedTable.make(HBASE.getConnection(), "damaged");
    StringBuilder input = new StringBuilder();
    for (String name : scripts()) {
      input.append(BEGINS).append(name).append('\n');
      input.append(Files.readString(SCRIPTS.resolve(name + ".rb")));
    }
    input.append(BEGINS).append("setup\n").append(Files.readString(SETUP));
    input.append(BEGINS).append(PAGE).append('\n').append(Page.read().typed());
    input.append(BEGINS).append("end\n");
    run = shell().installed().typed(input.toString());
    split(run.out());
  }

  @AfterAll
  static void stop() throws Exception {
    HBASE.shutdownMiniCluster();
  }

  static HBaseShell shell() {
    return shell(home);
  }

  private static HBaseShell shell(Path home) {
    String port = HBASE.getConfiguration().get(HConstants.ZOOKEEPER_CLIENT_PORT);
    return new HBaseShell(home, "127.0.0.1:" + port);
  }

  static List<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.endsWith(".rb"))
          .map(n -> n.substring(0, n.length() - ".rb".length()))
          .sorted()
          .toList();
    }
  }

  /** The shell shows what is typed, the lines that say which script begins, too. */
  private static void split(String output) {
    String[] parts = output.split("(?m)^hbase:\\d+:\\d+[>*] " + BEGINS);
    for (String part : parts) {
      int line = part.indexOf('\n');
      PRINTED.put(part.substring(0, line), part.substring(line + 1));
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void theShellPrints(String name) throws IOException {
    Transcript.check(PRINTED.get(name), SCRIPTS.resolve(name + ".txt"));
  }

  @Test
  void theDocumentationIsTrue() throws IOException {
    List<List<String>> printed = Page.answers(PRINTED.get(PAGE));
    List<List<String>> documented = Page.read().answers();
    SoftAssertions each = new SoftAssertions();
    each.assertThat(printed).hasSameSizeAs(documented);
    for (int i = 0; i < Math.min(printed.size(), documented.size()); i++) {
      each.assertThat(printed.get(i)).isEqualTo(documented.get(i));
    }
    each.assertAll();
  }

  /** So that what is shown of stack traces is shown of each. */
  @Test
  void everyCommandIsTyped() throws IOException {
    StringBuilder typed = new StringBuilder(Page.read().typed());
    for (String name : scripts()) {
      typed.append(Files.readString(SCRIPTS.resolve(name + ".rb")));
    }
    try (Stream<Path> commands = Files.list(COMMANDS)) {
      assertThat(commands.map(c -> c.getFileName().toString().replace(".rb", "")))
          .isNotEmpty()
          .allSatisfy(command -> assertThat(typed).containsPattern("\\b" + command + "[ (]"));
    }
  }

  /** Neither with an error, nor by HBase's client, which prints what a scan is thrown. */
  @Test
  void noStackTraceIsShown() {
    assertThat(run.code()).isZero();
    assertThat(run.out()).doesNotContain("\tat ");
    boolean warns = Runtime.version().feature() >= 24;
    assertThat(run.err().lines())
        .as("but for what HBase's own script says, and Java from 24 on of its libraries")
        .filteredOn(line -> !warns || !(line.isEmpty() || line.startsWith("WARNING: ")))
        .allMatch(line -> line.contains("/jar-bootstrap.rb:"));
  }

  /** Without a line in any file. */
  @Test
  void aSessionTakesTheCommands(@TempDir Path elsewhere) throws Exception {
    HBaseShell shell = shell(elsewhere);
    String commands =
        """
        create 'scripted', 'd'
        put 'scripted', 'a', 'd:n', '7'
        flush 'scripted'
        spyhop_create_index 'scripted', 'n', COLUMN => 'd:n', TYPE => 'TEXT_LONG', WAIT => true
        spyhop_list_indexes 'scripted'
        spyhop_query 'scripted', 'n = 7'
        spyhop_jobs
        spyhop_drop_index 'scripted', 'n'
        """;
    Run good = shell.script(HBaseShell.REQUIRE + commands);
    assertThat(good.code()).as(good.out() + good.err()).isZero();
    assertThat(good.out())
        .contains(
            " INDEX KIND  COLUMN TYPE      MIN MAX FLAGS STORES BLOOM MAINTENANCE REPAIR\n"
                + " n     LOCAL d:n    TEXT_LONG -   -     100 values off   -           -\n")
        .contains("value=7\n")
        .containsPattern("\n JOB +JOBS FAILED MEAN_WAIT +10% .* 100% MEAN_RUN\n")
        .containsPattern("\n FLUSH +\\d+ +0( +\\d+\\.\\d{3}){12}\n")
        .contains("Dropped index 'n' of table 'scripted'.\n");
  }

  @Test
  void aScriptThatFailsEndsThere() throws Exception {
    Run bad = shell().installed().script("spyhop_query 'absent', 'n = 7'\nputs 'goes on'\n");
    assertThat(bad.code()).isEqualTo(1);
    assertThat(bad.out())
        .endsWith(
            "ERROR Spyhop::Error: table 'absent' does not exist; check the name and its"
                + " namespace\n")
        .doesNotContain("\nat ")
        .doesNotContain("goes on\n");
    assertThat(bad.err()).doesNotContain("\tat ");
  }
}
