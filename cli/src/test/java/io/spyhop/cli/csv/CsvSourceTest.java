package io.spyhop.cli.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class CsvSourceTest {
  private static CsvSource source(String text) throws IOException {
    return CsvSource.of(
        "fish.csv", new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)), ',');
  }

  private static List<CsvLine> lines(String text) throws IOException {
    List<CsvLine> lines = new ArrayList<>();
    try (CsvSource source = source(text)) {
      for (Optional<CsvLine> l = source.next(); l.isPresent(); l = source.next()) {
        lines.add(l.get());
      }
    }
    return lines;
  }

  private static void shouldRefuse(String text, String message) {
    assertThatThrownBy(() -> lines(text))
        .isInstanceOf(InvalidCsvException.class)
        .hasMessageContaining(message);
  }

  @Test
  void linesAreNumberedWhereTheyBegin() throws IOException {
    assertThat(lines("k,v\r\n\r\na,\"x\ny\r\nz\"\r\nb,\"\"\"\"\nc,"))
        .containsExactly(
            new CsvLine(1, List.of("k", "v")),
            new CsvLine(3, List.of("a", "x\ny\r\nz")),
            new CsvLine(6, List.of("b", "\"")),
            new CsvLine(7, List.of("c", "")));
  }

  @Test
  void theByteOrderMarkIsNoPartOfTheHeader() throws IOException {
    assertThat(lines("\u00EF\u00BB\u00BFk,v").get(0).fields()).containsExactly("k", "v");
    assertThat(lines("k").get(0).fields()).containsExactly("k");
    assertThat(lines("")).isEmpty();
    shouldRefuse("\u00FF\u00FEk\0", "fish.csv is UTF-16; convert it first");
  }

  @Test
  void quotesThatDoNotFitAreFound() {
    shouldRefuse("k,v\na,\"x\nb,y\n", "fish.csv line 2: a quoted field is not closed");
    shouldRefuse("k,v\na,\"x\"y\n", "fish.csv line 2: text follows a closing quote");
  }

  @Test
  void aRecordWithoutEndIsNotHeld() throws IOException {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }
        };
    InputStream start = new ByteArrayInputStream(Bytes.toBytes("k,v\na,\""));
    try (CsvSource source =
        CsvSource.of("fish.csv", new SequenceInputStream(start, endless), ',')) {
      source.next();
      assertThatThrownBy(source::next)
          .isInstanceOf(InvalidCsvException.class)
          .hasMessageContaining("fish.csv line 2: the record does not end within");
    }
  }

  @Test
  void headersAreChecked() throws IOException {
    shouldRefuseHeader("", "fish.csv is empty");
    shouldRefuseHeader("k;d:v\n", "one field only");
    shouldRefuseHeader("k,d:v,price\n", "line 1, column 3: 'price' is no column");
    shouldRefuseHeader("k,d:v,d:v\n", "line 1, column 3: 'd:v' is there twice");
    shouldRefuseHeader("k,.d:v\n", "line 1, column 2: '.d:v' is no column");
    assertThat(CsvHeader.read(source("k, d:v,e:w\n"), Optional.empty()).families())
        .extracting(Bytes::toString)
        .containsExactly("d", "e");
  }

  private static void shouldRefuseHeader(String text, String message) {
    assertThatThrownBy(() -> CsvHeader.read(source(text), Optional.empty()))
        .isInstanceOf(InvalidCsvException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("fish.csv");
  }
}
