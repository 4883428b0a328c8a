package io.spyhop.cli.csv;

import com.google.common.base.Ascii;
import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The fields of a file's lines: which is the row key, and which are columns. Immutable.
 *
 * @param file what messages call it
 * @param size how many fields a line has
 * @param key the position of the row key's field, from 0
 * @param fields those that are stored, in the file's order or as they were asked for
 */
public record CsvHeader(String file, int size, int key, List<Field> fields) {
  private static final int MAX_SHOWN = 300;
  private static final String FORM =
      "a column is family:qualifier, or any name with --family; --columns leaves out others";

  /**
   * A field that is stored.
   *
   * @param position from 0
   * @param column where it is stored
   */
  record Field(int position, ColumnName column) {}

  /** Copies the fields. */
  public CsvHeader {
    fields = List.copyOf(fields);
  }

  /**
   * Reads a file's first line, if that is a header.
   *
   * @throws InvalidCsvException if it is none, or lacks what the names say
   */
  public static CsvHeader read(CsvSource source, CsvNames names) throws IOException {
    return names.header().isEmpty()
        ? new Reader(source.name(), line(source), names).read()
        : new Reader(source.name(), new CsvLine(0, names.header()), names).read();
  }

  private static CsvLine line(CsvSource source) throws IOException {
    CsvLine line =
        source.next().orElseThrow(() -> new InvalidCsvException(source.name() + " is empty"));
    List<String> fields = line.fields().stream().map(CsvHeader::text).map(String::strip).toList();
    return new CsvLine(line.number(), fields);
  }

  /** The families of all columns, in order. */
  public Set<byte[]> families() {
    Set<byte[]> families = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    fields.forEach(f -> families.add(f.column().family()));
    return families;
  }

  /** What is in the file, whose chars are bytes, as text. */
  private static String text(String field) {
    return new String(field.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** Finds fields by their names. Used once. */
  private static final class Reader {
    private final String file;
    private final String at;
    private final List<String> header;
    private final CsvNames names;
    private final List<Field> fields = new ArrayList<>();
    private final Set<ColumnName> seen = new HashSet<>();

    Reader(String file, CsvLine line, CsvNames names) {
      this.file = file;
      this.at = line.number() == 0 ? "--header" : file + " line " + line.number();
      this.header = line.fields();
      this.names = names;
    }

    CsvHeader read() throws InvalidCsvException {
      if (header.size() < 2) {
        throw new InvalidCsvException(
            at
                + ": the header of "
                + file
                + " has one field only; "
                + FORM
                + " (other delimiters: --delimiter)");
      }
      int key = names.key().isPresent() ? position(names.key().get(), "--key") : 0;
      if (names.columns().isEmpty()) {
        addAllBut(key);
      } else {
        for (String column : names.columns()) {
          addNamed(column);
        }
      }
      return new CsvHeader(file, header.size(), key, fields);
    }

    private void addAllBut(int key) throws InvalidCsvException {
      for (int i = 0; i < header.size(); i++) {
        if (i != key) {
          add(i, header.get(i));
        }
      }
    }

    /** A name, or a name of the header, {@code =} and the name to store it by. */
    private void addNamed(String asked) throws InvalidCsvException {
      int as = header.contains(asked) ? -1 : asked.lastIndexOf('=');
      String name = as < 0 ? asked : asked.substring(0, as);
      add(position(name, "--columns"), asked.substring(as + 1));
    }

    private int position(String name, String option) throws InvalidCsvException {
      int first = header.indexOf(name);
      if (first < 0 || first != header.lastIndexOf(name)) {
        throw new InvalidCsvException(
            String.format(
                "%s: %s '%s' is %s; it has %s",
                at,
                option,
                name,
                first < 0 ? "not in the header" : "in the header twice",
                Ascii.truncate(String.join(", ", header), MAX_SHOWN, "...")));
      }
      return first;
    }

    private void add(int position, String name) throws InvalidCsvException {
      ColumnName column = column(name, at + ", column " + (position + 1));
      if (!seen.add(column)) {
        throw new InvalidCsvException(
            at
                + ", column "
                + (position + 1)
                + ": '"
                + column
                + "' is there twice; keep one of"
                + " them, or say with --columns which");
      }
      fields.add(new Field(position, column));
    }

    private ColumnName column(String name, String where) throws InvalidCsvException {
      try {
        ColumnName column =
            names.family().isPresent()
                ? ofFamily(names.family().get(), name)
                : ColumnName.parse(name);
        ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName(column.family());
        return column;
      } catch (IllegalArgumentException e) {
        throw new InvalidCsvException(
            where + ": '" + name + "' is no column (" + e.getMessage() + "); " + FORM);
      }
    }

    private static ColumnName ofFamily(String family, String name) {
      if (name.isEmpty()) {
        throw new IllegalArgumentException("it has no name");
      }
      return ColumnName.of(Bytes.toBytes(family), Bytes.toBytes(name));
    }
  }
}
