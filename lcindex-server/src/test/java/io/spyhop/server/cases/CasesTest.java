package io.spyhop.server.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares what tables answer, and how, with text files, word for word. {@code
 * -Dspyhop.cases=write} writes the files anew, to be read before they are committed.
 */
class CasesTest {
  private static final Path FILES = Path.of("src", "test", "resources", "cases");
  private static final String END = ".txt";

  static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(FILES)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.endsWith(END))
          .map(f -> f.substring(0, f.length() - END.length()))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void comesOut(String name) throws Exception {
    Path file = FILES.resolve(name + END);
    String shown;
    try (CaseTable table = new CaseTable(name)) {
      shown = CaseFile.read(file).run(table::run);
    }
    if ("write".equals(System.getProperty("spyhop.cases"))) {
      Files.writeString(file, shown);
    }
    assertThat(shown).isEqualTo(Files.readString(file));
  }
}
