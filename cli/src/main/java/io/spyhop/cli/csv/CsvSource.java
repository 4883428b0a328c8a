package io.spyhop.cli.csv;

import io.spyhop.cli.csv.MeteredInput.RecordTooLongException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads a CSV file (RFC 4180, any delimiter, any line ends) line by line. Chars of fields are bytes
 * of the file, so that nothing is changed on the way. Holds one record at a time. Not thread-safe.
 */
public final class CsvSource implements Closeable {
  /** The name that stands for standard input. */
  public static final String STANDARD_INPUT = "-";

  /** Bytes of one record; HBase's client writes no cell beyond 10 MB. */
  private static final long MAX_RECORD = 8 << 20;

  private static final byte[] UTF8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final String name;
  private final MeteredInput input;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;

  private CsvSource(String name, InputStream in, char delimiter) throws IOException {
    this.name = name;
    this.input = new MeteredInput(in, MAX_RECORD);
    PushbackInputStream start = new PushbackInputStream(input, UTF8_MARK.length);
    skipMark(start);
    this.parser =
        CSVFormat.RFC4180
            .builder()
            .setDelimiter(delimiter)
            .setIgnoreEmptyLines(false)
            .build()
            .parse(new InputStreamReader(start, StandardCharsets.ISO_8859_1));
    this.records = parser.iterator();
  }

  /**
   * Opens a file.
   *
   * @param file its name, or {@value #STANDARD_INPUT}
   * @param delimiter an ASCII character
   * @throws IOException if it cannot be read
   */
  public static CsvSource open(String file, char delimiter) throws IOException {
    if (file.equals(STANDARD_INPUT)) {
      return of("standard input", System.in, delimiter);
    }
    Path path = Path.of(file);
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      String why =
          Files.isDirectory(path)
              ? "it is a directory"
              : Files.exists(path) ? "permission denied" : "there is no such file";
      throw new IOException("cannot read '" + file + "': " + why);
    }
    return of(file, Files.newInputStream(path), delimiter);
  }

  /** Reads what a stream has; closing this closes it. */
  static CsvSource of(String name, InputStream in, char delimiter) throws IOException {
    return new CsvSource(name, in, delimiter);
  }

  private void skipMark(PushbackInputStream start) throws IOException {
    byte[] first = start.readNBytes(UTF8_MARK.length);
    int b0 = first.length > 1 ? first[0] & 0xFF : 0;
    int b1 = first.length > 1 ? first[1] & 0xFF : 0;
    if ((b0 == 0xFF && b1 == 0xFE) || (b0 == 0xFE && b1 == 0xFF)) {
      throw new InvalidCsvException(
          name + " is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8");
    }
    if (!Arrays.equals(first, UTF8_MARK)) {
      start.unread(first);
    }
  }

  /** What messages call it. */
  String name() {
    return name;
  }

  /** Bytes read so far. */
  long bytesRead() {
    return input.total();
  }

  /** Where a line is, for messages. */
  String at(long line) {
    return name + " line " + line;
  }

  /**
   * The next line that is not blank; empty at the end.
   *
   * @throws InvalidCsvException if what follows is no CSV: then nothing more can be read
   */
  Optional<CsvLine> next() throws IOException {
    while (true) {
      long line = parser.getCurrentLineNumber() + 1;
      input.beginRecord();
      Optional<CSVRecord> read = read(line);
      if (read.isEmpty()) {
        return Optional.empty();
      }
      CsvLine record = new CsvLine(line, read.get().toList());
      if (!record.isBlank()) {
        return Optional.of(record);
      }
    }
  }

  private Optional<CSVRecord> read(long line) throws IOException {
    try {
      return records.hasNext() ? Optional.of(records.next()) : Optional.empty();
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof IOException io) {
        throw explained(io, line);
      }
      throw e;
    }
  }

  private IOException explained(IOException e, long line) {
    if (e instanceof RecordTooLongException) {
      return new InvalidCsvException(
          at(line)
              + ": the record does not end within "
              + MAX_RECORD
              + " bytes; look for a quote that is not closed, or a wrong delimiter");
    }
    String said = String.valueOf(e.getMessage());
    if (said.startsWith("(startline")) {
      return new InvalidCsvException(
          at(line) + ": a quoted field is not closed; quotes within quotes are doubled: \"\"");
    }
    if (said.startsWith("(line")) {
      return new InvalidCsvException(
          at(line)
              + ": text follows a closing quote; quote the whole field, and double the quotes"
              + " within it: \"\"");
    }
    return new IOException("cannot read " + at(line) + ": " + said, e);
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
