package io.spyhop.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowFormatTest {
  private static final CellText CELLS =
      new CellText(
          Map.of(
              ColumnName.parse("d:n"), ValueType.LONG,
              ColumnName.parse("d:text"), ValueType.STRING,
              ColumnName.parse("d:day"), ValueType.DATE));

  private static String print(RowFormat format, String qualifier, byte[] value) {
    Result row =
        Result.create(
            List.of(
                new KeyValue(
                    new byte[] {1, 'k'}, Bytes.toBytes("d"), Bytes.toBytes(qualifier), 7, value)));
    StringWriter text = new StringWriter();
    format.printAll(List.of(row), CELLS, new PrintWriter(text));
    return text.toString().replace(System.lineSeparator(), "\n");
  }

  @Test
  void text() {
    assertThat(print(RowFormat.TEXT, "n", Bytes.toBytes(42L))).isEqualTo("\\x01k  d:n=42\n");
  }

  @Test
  void json() {
    assertThat(print(RowFormat.JSON, "n", Bytes.toBytes(42L)))
        .isEqualTo("{\"row\":\"\\\\x01k\",\"columns\":{\"d:n\":42}}\n");
    assertThat(print(RowFormat.JSON, "day", Bytes.toBytes("1997-03-10")))
        .contains("\"1997-03-10\"");
  }

  @Test
  void csvQuotesWhatItMust() {
    assertThat(print(RowFormat.CSV, "other", Bytes.toBytes("a \"b\", c")))
        .isEqualTo("row,column,timestamp,value\n\\x01k,d:other,7,\"a \"\"b\"\", c\"\n");
  }

  @Test
  void whatDoesNotDecodeIsShownAsItIs() {
    assertThat(print(RowFormat.TEXT, "n", new byte[] {0, 1})).isEqualTo("\\x01k  d:n=\\x00\\x01\n");
  }

  @Test
  void aLineIsARow() {
    byte[] text = "Gr\u00fc\u00dfe,\nzwei \\ Zeilen\t".getBytes(StandardCharsets.UTF_8);
    assertThat(print(RowFormat.TEXT, "other", text))
        .isEqualTo("\\x01k  d:other=Gr\u00fc\u00dfe,\\nzwei \\ Zeilen\\x09\n");
    assertThat(print(RowFormat.TEXT, "text", "a\r\nb\u001b".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("\\x01k  d:text=a\\r\\nb\\x1B\n");
    assertThat(print(RowFormat.JSON, "other", text))
        .contains("Gr\u00fc\u00dfe,\\nzwei \\\\ Zeilen");
    assertThat(print(RowFormat.TEXT, "other", new byte[] {(byte) 0xC3, 'a'}))
        .contains("d:other=\\xC3a");
  }

  @Test
  void whatHasNoTypeIsShownAsItIs() {
    assertThat(print(RowFormat.TEXT, "other", Bytes.toBytes("plain"))).contains("d:other=plain");
  }
}
