package io.spyhop.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.TestCluster;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in README.md compiles and runs. */
class ReadmeExampleTest {
  private static final byte[] D = Bytes.toBytes("d");

  @Test
  void compilesAndRunsMoreThanOnce(@TempDir Path dir) throws Exception {
    TableName orders = TableName.valueOf("readme_orders");
    Connection connection = TestCluster.get().connection();
    TestCluster.get().util().createTable(orders, D).close();
    try (Table table = connection.getTable(orders)) {
      table.put(
          new Put(Bytes.toBytes("o1"))
              .addColumn(D, Bytes.toBytes("totalprice"), Bytes.toBytes(30000.0))
              .addColumn(D, Bytes.toBytes("orderpriority"), Bytes.toBytes("3-MEDIUM")));
    }
    compile(dir);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {dir.toUri().toURL()})) {
      for (int i = 0; i < 2; i++) {
        loader
            .loadClass("Example")
            .getMethod("run", Connection.class, TableName.class)
            .invoke(null, connection, orders);
      }
    }
  }

  private static void compile(Path dir) throws Exception {
    String readme = Files.readString(Path.of("..", "README.md"));
    Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(readme);
    assertThat(block.find()).as("a Java example in README.md").isTrue();
    Path source = Files.writeString(dir.resolve("Example.java"), block.group(1));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  List.of(
                      "-d",
                      dir.toString(),
                      "-proc:none",
                      "-cp",
                      System.getProperty(
                          "surefire.test.class.path", System.getProperty("java.class.path"))),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      assertThat(compiled).as("%s", messages).isTrue();
    }
  }
}
