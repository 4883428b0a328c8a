package io.spyhop.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The real HBase shell, a process a run, with the folder of commands as Maven packages it and a
 * class path that has HBase's jars and none of Spyhop's.
 */
final class HBaseShell {
  /** What users copy. */
  static final Path FOLDER = Path.of("target", "spyhop-shell").toAbsolutePath();

  /** The line that brings the commands. */
  static final String REQUIRE = "require '" + FOLDER.resolve("spyhop") + "'\n";

  private static final Path SHELL = Path.of("target", "hbase-shell").toAbsolutePath();
  private static final List<String> OPENED =
      List.of("java.lang", "java.lang.reflect", "java.nio", "java.util");
  private static final long MINUTES = 2;

  private final Path home;
  private final String zookeeper;

  /**
   * The outcome of a shell.
   *
   * @param code its exit code
   * @param out standard output
   * @param err standard error
   */
  record Run(int code, String out, String err) {}

  /**
   * @param home the user's home, where a {@code .irbrc} may be
   * @param zookeeper {@code host:port}
   */
  HBaseShell(Path home, String zookeeper) {
    this.home = home;
    this.zookeeper = zookeeper;
  }

  /** Has the commands at hand in every shell, as the documentation says. */
  HBaseShell installed() throws IOException {
    Files.writeString(home.resolve(".irbrc"), REQUIRE);
    return this;
  }

  /** Runs a shell that gets this input as if it were typed, and then its end. */
  Run typed(String input) throws IOException, InterruptedException {
    return run(input, List.of());
  }

  /** Runs a script with {@code -n}. */
  Run script(String script) throws IOException, InterruptedException {
    Path file = Files.writeString(home.resolve("script.rb"), script);
    return run("", List.of("-n", file.toString()));
  }

  private Run run(String input, List<String> arguments) throws IOException, InterruptedException {
    File in = Files.writeString(home.resolve("in"), input).toFile();
    File out = home.resolve("out").toFile();
    File err = home.resolve("err").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command(arguments))
            .redirectInput(in)
            .redirectOutput(out)
            .redirectError(err);
    builder.environment().put("HOME", home.toString());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("the shell ends").isTrue();
      String said = Files.readString(out.toPath());
      return new Run(process.exitValue(), said, Files.readString(err.toPath()));
    } finally {
      process.destroyForcibly();
    }
  }

  private List<String> command(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    OPENED.forEach(p -> all.addAll(List.of("--add-opens", "java.base/" + p + "=ALL-UNNAMED")));
    all.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
    all.addAll(List.of("-Djava.net.preferIPv4Stack=true", "-cp", classPath()));
    all.add("-Dhbase.ruby.sources=" + SHELL.resolve("ruby"));
    all.addAll(
        List.of("org.jruby.Main", "-X+O", SHELL.resolve("ruby/jar-bootstrap.rb").toString()));
    all.add("-Dhbase.zookeeper.quorum=" + zookeeper);
    all.addAll(arguments);
    return all;
  }

  private static String classPath() throws IOException {
    List<String> all = new ArrayList<>();
    all.add(SHELL.resolve("jruby.jar").toString());
    all.add(Path.of("src", "test", "shell").toAbsolutePath().toString());
    all.add(SHELL.resolve("ruby").toString());
    List<String> ours = ours();
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(p -> isOfHBase(p, ours))
        .forEach(p -> all.add(p.toString()));
    return String.join(File.pathSeparator, all);
  }

  /** Spyhop's own are directories, or jars in one that a module is built in. */
  private static boolean isOfHBase(Path entry, List<String> ours) {
    return Files.isRegularFile(entry)
        && !entry.getParent().endsWith("target")
        && !ours.contains(entry.getFileName().toString());
  }

  private static List<String> ours() throws IOException {
    try (Stream<Path> jars = Files.list(FOLDER.resolve("lib"))) {
      return jars.map(j -> j.getFileName().toString()).toList();
    }
  }
}
