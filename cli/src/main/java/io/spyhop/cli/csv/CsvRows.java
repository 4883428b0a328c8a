package io.spyhop.cli.csv;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes changes of rows of a file's lines. Not thread-safe. */
public final class CsvRows {
  private final CsvHeader header;
  private final Empties empties;
  private final Optional<byte[]> absent;
  private long skipped;

  /**
   * @param empties what fields without text do
   * @param absent a field's text that does the same, but that it is never stored
   */
  public CsvRows(CsvHeader header, Empties empties, Optional<String> absent) {
    this.header = header;
    this.empties = empties;
    this.absent = absent.map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether lines may delete what earlier ones have put. */
  boolean delete() {
    return empties == Empties.DELETE;
  }

  /** How many fields have left their columns as they were. */
  public long skipped() {
    return skipped;
  }

  /**
   * The change that a line makes: a Put, a Delete, or both at once.
   *
   * @throws RejectedLineException if that cannot be
   */
  Row row(CsvLine line) throws RejectedLineException {
    String at = header.file() + " line " + line.number();
    if (line.fields().size() != header.size()) {
      throw new RejectedLineException(
          String.format(
              "%s: %d fields, but the header has %d; quote fields that hold the delimiter",
              at, line.fields().size(), header.size()));
    }
    byte[] key = key(line, at);
    Put put = new Put(key);
    Delete delete = new Delete(key);
    for (CsvHeader.Field field : header.fields()) {
      add(field, bytes(line, field.position(), at, field.column().toString()), put, delete);
    }
    if (put.isEmpty() && delete.isEmpty()) {
      throw new RejectedLineException(
          at + ": the key has no values, and HBase keeps no row without any; add one or delete it");
    }
    return change(put, delete);
  }

  private void add(CsvHeader.Field field, byte[] value, Put put, Delete delete) {
    boolean none = absent.filter(a -> Bytes.equals(a, value)).isPresent();
    if (!none && (value.length > 0 || empties == Empties.EMPTY)) {
      put.addColumn(field.column().family(), field.column().qualifier(), value);
    } else if (delete()) {
      delete.addColumns(field.column().family(), field.column().qualifier());
    } else {
      skipped++;
    }
  }

  private static Row change(Put put, Delete delete) {
    if (put.isEmpty() || delete.isEmpty()) {
      return put.isEmpty() ? delete : put;
    }
    try {
      return RowMutations.of(List.of(put, delete));
    } catch (IOException e) {
      throw new IllegalStateException("a Put and a Delete of one row do not go together", e);
    }
  }

  private byte[] key(CsvLine line, String at) throws RejectedLineException {
    byte[] key = bytes(line, header.key(), at, "the key");
    String where = where(at, header.key(), "the key");
    if (key.length == 0) {
      throw new RejectedLineException(where + ": it is empty; each line needs one");
    }
    if (key.length > HConstants.MAX_ROW_LENGTH) {
      throw new RejectedLineException(
          String.format(
              "%s: it has %d bytes, and HBase takes %d; shorten it",
              where, key.length, HConstants.MAX_ROW_LENGTH));
    }
    return key;
  }

  private static byte[] bytes(CsvLine line, int position, String at, String what)
      throws RejectedLineException {
    byte[] bytes = line.fields().get(position).getBytes(StandardCharsets.ISO_8859_1);
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
    } catch (CharacterCodingException e) {
      throw new RejectedLineException(
          where(at, position, what)
              + ": it is not UTF-8; convert the file, for example: iconv -f ISO-8859-1 -t UTF-8");
    }
    return bytes;
  }

  private static String where(String at, int position, String what) {
    return at + ", column " + (position + 1) + " (" + what + ")";
  }
}
