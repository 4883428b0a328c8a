package io.spyhop.cli.csv;

import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** The fields of a file's lines: the row key first, then columns. Immutable. */
public final class CsvHeader {
  private static final String FORM = "the header is the key's name, then a family:qualifier each";

  private final String file;
  private final List<ColumnName> columns;
  private final Optional<byte[]> absent;

  private CsvHeader(String file, List<ColumnName> columns, Optional<byte[]> absent) {
    this.file = file;
    this.columns = List.copyOf(columns);
    this.absent = absent;
  }

  /**
   * Reads a file's first line.
   *
   * @param absent a field's text that makes no cell; empty fields never do
   * @throws InvalidCsvException if it is no header
   */
  public static CsvHeader read(CsvSource source, Optional<String> absent) throws IOException {
    CsvLine line =
        source
            .next()
            .orElseThrow(() -> new InvalidCsvException(source.name() + " is empty; " + FORM));
    String at = source.at(line.number());
    if (line.fields().size() < 2) {
      throw new InvalidCsvException(
          at + ": the header has one field only; " + FORM + " (other delimiters: --delimiter)");
    }
    List<ColumnName> columns = new ArrayList<>();
    Set<ColumnName> seen = new HashSet<>();
    for (int i = 1; i < line.fields().size(); i++) {
      ColumnName column = column(line.fields().get(i).strip(), at + ", column " + (i + 1));
      if (!seen.add(column)) {
        throw new InvalidCsvException(
            at + ", column " + (i + 1) + ": '" + column + "' is there twice; keep one of them");
      }
      columns.add(column);
    }
    return new CsvHeader(
        source.name(), columns, absent.map(text -> text.getBytes(StandardCharsets.UTF_8)));
  }

  private static ColumnName column(String name, String at) throws InvalidCsvException {
    try {
      ColumnName column = ColumnName.parse(name);
      ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName(column.family());
      return column;
    } catch (IllegalArgumentException e) {
      throw new InvalidCsvException(
          at + ": '" + shown(name) + "' is no column (" + e.getMessage() + "); " + FORM);
    }
  }

  /** The families of all columns, in order. */
  public Set<byte[]> families() {
    Set<byte[]> families = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    columns.forEach(c -> families.add(c.family()));
    return families;
  }

  /** How many fields a line has. */
  int size() {
    return columns.size() + 1;
  }

  /**
   * Makes a row of a line.
   *
   * @throws RejectedLineException if that cannot be
   */
  Put row(CsvLine line) throws RejectedLineException {
    String at = file + " line " + line.number();
    if (line.fields().size() != size()) {
      throw new RejectedLineException(
          String.format(
              "%s: %d fields, but the header has %d; quote fields that hold the delimiter",
              at, line.fields().size(), size()));
    }
    Put put = new Put(key(line, at + ", column 1 (the key)"));
    for (int i = 0; i < columns.size(); i++) {
      ColumnName column = columns.get(i);
      byte[] value =
          bytes(line.fields().get(i + 1), at + ", column " + (i + 2) + " (" + column + ")");
      if (value.length > 0 && absent.filter(a -> Bytes.equals(a, value)).isEmpty()) {
        put.addColumn(column.family(), column.qualifier(), value);
      }
    }
    if (put.isEmpty()) {
      throw new RejectedLineException(
          at + ": the key has no values, and HBase keeps no row without any; add one or delete it");
    }
    return put;
  }

  private static byte[] key(CsvLine line, String at) throws RejectedLineException {
    byte[] key = bytes(line.fields().get(0), at);
    if (key.length == 0) {
      throw new RejectedLineException(at + ": it is empty; each line needs one");
    }
    if (key.length > HConstants.MAX_ROW_LENGTH) {
      throw new RejectedLineException(
          String.format(
              "%s: it has %d bytes, and HBase takes %d; shorten it",
              at, key.length, HConstants.MAX_ROW_LENGTH));
    }
    return key;
  }

  private static byte[] bytes(String field, String at) throws RejectedLineException {
    byte[] bytes = field.getBytes(StandardCharsets.ISO_8859_1);
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
    } catch (CharacterCodingException e) {
      throw new RejectedLineException(
          at + ": it is not UTF-8; convert the file, for example: iconv -f ISO-8859-1 -t UTF-8");
    }
    return bytes;
  }

  /** As text, for messages. */
  private static String shown(String field) {
    return new String(field.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
