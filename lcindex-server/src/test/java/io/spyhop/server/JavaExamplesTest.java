package io.spyhop.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All Java in the READMEs and the manual compiles and runs, and nothing of it is on standard error,
 * where HBase's client prints what a scan is thrown.
 */
class JavaExamplesTest {
  private static final byte[] D = Bytes.toBytes("d");
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern CLASS = Pattern.compile("(?m)^public class (\\w+)");

  /** What fragments take for given. */
  private static final String AROUND =
      """
      import io.spyhop.client.*;
      import io.spyhop.client.Query;
      import io.spyhop.core.bucket.*;
      import io.spyhop.core.schema.*;
      import io.spyhop.core.value.*;
      import java.util.*;
      import java.util.concurrent.*;
      import org.apache.hadoop.hbase.*;
      import org.apache.hadoop.hbase.client.*;
      import org.apache.hadoop.hbase.security.visibility.*;

      public class Fragment {
        public static void run(Connection connection, TableName orders) throws Exception {
          try (Spyhop spyhop = Spyhop.connect(connection)) {
            %s
          }
        }
      }
      """;

  private static final TableName ORDERS = TableName.valueOf("readme_orders");

  /** Not on this module's class path: SpyhopInputFormatTest and TpchTest run them. */
  private static final List<String> ELSEWHERE =
      List.of("SpyhopInputFormat.configure(", "\"jdbc:spyhop:");

  @TempDir private Path dir;

  /**
   * A piece of Java.
   *
   * @param page that it is on
   */
  record Example(Path page, String text) {
    @Override
    public String toString() {
      return page.getFileName() + ": " + text.lines().findFirst().orElse("");
    }
  }

  static List<Example> examples() throws IOException {
    List<Path> pages =
        new ArrayList<>(
            List.of(ROOT.resolve("README.md"), ROOT.resolve("dist/src/main/README.md")));
    try (Stream<Path> manual = Files.list(ROOT.resolve("docs"))) {
      manual.filter(p -> p.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    List<Example> examples = new ArrayList<>();
    for (Path page : pages) {
      BLOCK.matcher(Files.readString(page)).results().forEach(m -> examples.add(of(page, m)));
    }
    examples.removeIf(e -> ELSEWHERE.stream().anyMatch(e.text::contains));
    return examples;
  }

  private static Example of(Path page, MatchResult block) {
    return new Example(page, block.group(1));
  }

  @BeforeAll
  static void fill() throws IOException {
    TestCluster.get().util().createTable(ORDERS, D).close();
    try (Table table = TestCluster.get().connection().getTable(ORDERS)) {
      table.put(
          new Put(Bytes.toBytes("o1"))
              .addColumn(D, Bytes.toBytes("totalprice"), Bytes.toBytes(30000.0))
              .addColumn(D, Bytes.toBytes("orderpriority"), Bytes.toBytes("3-MEDIUM")));
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void compilesAndRunsQuietly(Example example) throws Exception {
    Optional<String> name = first(CLASS, example.text);
    String text = name.isPresent() ? example.text : AROUND.formatted(example.text);
    Path source = Files.writeString(dir.resolve(name.orElse("Fragment") + ".java"), text);
    compile(source);
    String packaged = first(PACKAGE, text).map(p -> p + ".").orElse("");
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {dir.toUri().toURL()})) {
      run(loader.loadClass(packaged + name.orElse("Fragment")), text);
    } finally {
      System.setErr(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** A program of its own, or what is given a connection; the latter is run twice, as users do. */
  private static void run(Class<?> example, String text) throws Exception {
    Connection connection = TestCluster.get().connection();
    if (text.contains(" main(String[] ")) {
      Configuration conf = connection.getConfiguration();
      String zookeeper =
          conf.get(HConstants.ZOOKEEPER_QUORUM) + ":" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
      example.getMethod("main", String[].class).invoke(null, (Object) new String[] {zookeeper});
      return;
    }
    boolean creates = text.contains(".buckets().create(");
    TableName table = creates ? TableName.valueOf("readme_made") : ORDERS;
    for (int i = 0; i < (creates ? 1 : 2); i++) {
      example.getMethod("run", Connection.class, TableName.class).invoke(null, connection, table);
    }
  }

  private static Optional<String> first(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().map(m -> m.group(1));
  }

  private void compile(Path source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-d",
            dir.toString(),
            "-proc:none",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
              .call();
      assertThat(compiled).as("%s", messages).isTrue();
    }
  }
}
