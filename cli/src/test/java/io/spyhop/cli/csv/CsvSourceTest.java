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
    assertThat(CsvHeader.read(source("k, d:v,e:w\n"), CsvNames.IN_THE_FILE).families())
        .extracting(Bytes::toString)
        .containsExactly("d", "e");
  }

  private static CsvNames names(String key, String family, String... columns) {
    return new CsvNames(
        List.of(), Optional.ofNullable(key), Optional.ofNullable(family), List.of(columns));
  }

  /** Whatever programs write there. */
  @Test
  void namesOfHeadersAreQualifiersOfAFamily() throws IOException {
    String header =
        "\u00EF\u00BB\u00BFName,id,Date of birth,\"a,b\",geo:lat,gr\u00C3\u00B6\u00C3\u009Fe,=\n";
    CsvHeader all = CsvHeader.read(source(header), names("id", "d"));
    assertThat(all.key()).isEqualTo(1);
    assertThat(all.fields())
        .extracting(f -> Bytes.toString(f.column().qualifier()))
        .containsExactly("Name", "Date of birth", "a,b", "geo:lat", "gr\u00F6\u00DFe", "=");
    CsvHeader some =
        CsvHeader.read(
            source(header),
            names(null, null, "id=d:number", "geo:lat", "gr\u00F6\u00DFe=e:\u00F6", "==d:is"));
    assertThat(some.key()).isZero();
    assertThat(some.fields())
        .extracting(
            f ->
                f.position()
                    + " "
                    + Bytes.toString(f.column().family())
                    + ":"
                    + Bytes.toString(f.column().qualifier()))
        .containsExactly("1 d:number", "4 geo:lat", "5 e:\u00F6", "6 d:is");
    CsvNames without =
        new CsvNames(List.of("a", "b"), Optional.of("b"), Optional.of("d"), List.of());
    assertThat(CsvHeader.read(source("1,2\n"), without).key()).isEqualTo(1);
    shouldRefuseHeader(
        header, names("nr", "d"), "--key 'nr' is not in the header; it has Name, id");
    shouldRefuseHeader(header, names(null, null, "size=d:x"), "--columns 'size' is not in");
    shouldRefuseHeader("k,a,a\n", names(null, "d"), "'d:a' is there twice");
    shouldRefuseHeader("k,a,a\n", names("a", "d"), "--key 'a' is in the header twice");
    shouldRefuseHeader("k,,a\n", names(null, "d"), "column 2: '' is no column (it has no name)");
    assertThat(CsvHeader.read(source("k,,a,a,b\n"), names(null, "d", "b")).fields()).hasSize(1);
  }

  @Test
  void distinctKeysAreCountedWithinTheirRoom() {
    KeyCounter all = new KeyCounter(1 << 20);
    KeyCounter few = new KeyCounter(1 << 13);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 10_000; i++) {
        assertThat(all.wasThere(Bytes.toBytes(i))).isEqualTo(round > 0);
        boolean known = few.wasThere(Bytes.toBytes(i));
        assertThat(known).isEqualTo(round > 0 && i < 768);
      }
    }
    assertThat(all.isExact()).isTrue();
    assertThat(few.isExact()).isFalse();
  }

  private static void shouldRefuseHeader(String text, String message) {
    shouldRefuseHeader(text, CsvNames.IN_THE_FILE, message);
  }

  private static void shouldRefuseHeader(String text, CsvNames names, String message) {
    assertThatThrownBy(() -> CsvHeader.read(source(text), names))
        .isInstanceOf(InvalidCsvException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("fish.csv");
  }
}
