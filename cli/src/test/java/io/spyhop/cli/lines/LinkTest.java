package io.spyhop.cli.lines;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.spyhop.bench.scale.ScaleBench;
import io.spyhop.client.Spyhop;
import io.spyhop.cluster.Cluster;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.gateway.Gateway;
import io.spyhop.jdbc.SpyhopDriver;
import io.spyhop.mapreduce.SpyhopInputFormat;
import io.spyhop.server.hook.SpyhopRegion;
import io.spyhop.ycsb.YcsbMain;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import picocli.CommandLine;

/**
 * Looks up everything that our classes use of HBase in the jars of other versions. What is known to
 * be missing is in {@code lines/missing.txt}, with the reason why that is no harm; the table of
 * docs/compatibility.md is made of it. With {@code -Dspyhop.lines=write} the table is written anew.
 */
@DisabledIfSystemProperty(named = "hbase.line", matches = ".+")
class LinkTest {
  private static final Path LINES = Path.of("target", "lines");
  private static final Path KNOWN = Path.of("src", "test", "resources", "lines", "missing.txt");
  private static final Path DOCUMENT = Path.of("..", "docs", "compatibility.md");
  private static final String TABLE = "## Looked up\n";

  /** A class of each module. */
  private static final List<Class<?>> MODULES =
      List.of(
          IndexDefinition.class,
          Spyhop.class,
          SpyhopRegion.class,
          SpyhopDriver.class,
          Gateway.class,
          SpyhopInputFormat.class,
          YcsbMain.class,
          Cluster.class,
          ScaleBench.class);

  /** Something that a line lacks, and why that is no harm. */
  private record Known(String line, String what, Set<String> users, String reason) {
    static Known read(String text) {
      List<String> parts = Splitter.on('|').trimResults().splitToList(text);
      assertThat(parts).as(text).hasSize(4);
      assertThat(parts.get(3)).as("the reason of: " + text).isNotEmpty();
      Set<String> users = new TreeSet<>(Splitter.on(", ").splitToList(parts.get(2)));
      return new Known(parts.get(0), parts.get(1), users, parts.get(3));
    }

    String shown() {
      return line + " | " + what + " | " + String.join(", ", users);
    }
  }

  @Test
  void onlyWhatIsKnownIsMissing() throws IOException {
    List<String> found = new ArrayList<>();
    StringBuilder table = new StringBuilder(TABLE);
    table.append("| HBase | jars | missing |\n|---|---|---|\n");
    for (Map.Entry<String, LinkCheck.Report> line : reports(ownClasses()).entrySet()) {
      LinkCheck.Report report = line.getValue();
      report
          .missing()
          .forEach((what, users) -> found.add(new Known(line.getKey(), what, users, "").shown()));
      assertThat(report.uses()).as("members used of HBase " + line.getKey()).isGreaterThan(400);
      table.append(
          String.format(
              "| %s | %s | %d |%n", line.getKey(), jars(line.getKey()), report.missing().size()));
    }
    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(known().stream().map(Known::shown).toList());
    assertThat(documented(table.toString())).isEqualTo(table.toString());
  }

  /** Of the next version of a library two methods are gone, and another one is wanted. */
  @Test
  void findsEachKind(@TempDir Path directory) throws IOException {
    ClassWriter next = new ClassWriter(0);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE;
    String name = "picocli/CommandLine$IVersionProvider";
    next.visit(Opcodes.V1_8, access, name, null, "java/lang/Object", null);
    next.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, "wanted", "()V", null, null);
    next.visitEnd();
    Path jar = directory.resolve("picocli-9.9.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(name + ".class"));
      out.write(next.toByteArray());
    }
    URL own = Versions.class.getResource("LinkTest$Versions.class");
    try (Line present = Line.present();
        Line line = Line.of(directory)) {
      LinkCheck.Report report = LinkCheck.of(List.of(ClassShape.read(own)), present, line);
      assertThat(report.missing().keySet())
          .containsExactly(
              "CommandLine$IVersionProvider.getVersion(): String[]",
              "class CommandLine",
              "new abstract CommandLine$IVersionProvider.wanted(): void",
              "nothing calls CommandLine$IVersionProvider.getVersion(): String[]");
    }
  }

  private static final class Versions implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws Exception {
      CommandLine.IVersionProvider next = this;
      return next.getVersion();
    }
  }

  private static Map<String, LinkCheck.Report> reports(List<ClassShape> classes)
      throws IOException {
    Map<String, LinkCheck.Report> reports = new TreeMap<>();
    for (String name : lines()) {
      try (Line present = Line.present();
          Line line = Line.of(LINES.resolve(name))) {
        reports.put(name, LinkCheck.of(classes, present, line));
      }
    }
    return reports;
  }

  private static List<String> lines() throws IOException {
    try (Stream<Path> lines = Files.list(LINES)) {
      return lines.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  private static String jars(String line) throws IOException {
    try (Line jars = Line.of(LINES.resolve(line))) {
      return String.join(", ", jars.artifacts());
    }
  }

  private static List<Known> known() throws IOException {
    return Files.readAllLines(KNOWN).stream()
        .filter(l -> !l.isEmpty() && !l.startsWith("#"))
        .map(Known::read)
        .toList();
  }

  private static String documented(String table) throws IOException {
    String text = Files.readString(DOCUMENT);
    int begin = text.indexOf(TABLE);
    if ("write".equals(System.getProperty("spyhop.lines"))) {
      Files.writeString(DOCUMENT, text.substring(0, begin) + table);
      return table;
    }
    return text.substring(begin);
  }

  private static List<ClassShape> ownClasses() throws IOException {
    List<ClassShape> classes = new ArrayList<>();
    for (Class<?> one : MODULES) {
      Path place = placeOf(one);
      if (Files.isDirectory(place)) {
        addClasses(place, classes);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
          addClasses(jar.getPath("/"), classes);
        }
      }
    }
    return classes;
  }

  private static Path placeOf(Class<?> one) {
    try {
      URI place = one.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(place);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static void addClasses(Path root, List<ClassShape> classes) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
        classes.add(ClassShape.read(file.toUri().toURL()));
      }
    }
  }
}
