package io.spyhop.server.index.local;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.server.index.local.column.ColumnBlock;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * The columnar files of one HFile that tell of a predicate's columns. Failures to read them say
 * which file failed. Not thread-safe.
 */
final class HFileColumns {
  private final RecordRequest request;
  private final StoreFileReader hfile;
  private final ColumnSource driving;
  private final ColumnFile drivingFile;

  /** By the predicate's columns, null where there is none. */
  private final ColumnSource[] sources;

  private final ColumnFile[] files;

  /** The block read last, by column. */
  private final ColumnBlock[] blocks;

  private final int[] numbers;

  /**
   * @param beside files of further columns
   */
  HFileColumns(
      StoreFileReader hfile, ColumnSource driving, List<ColumnSource> beside, RecordRequest request)
      throws IOException {
    this.request = request;
    this.hfile = hfile;
    this.driving = driving;
    this.drivingFile = read(driving, () -> driving.columns(request));
    BoundPredicate predicate = request.predicate();
    int columns = predicate.columns().size();
    this.sources = new ColumnSource[columns];
    this.files = new ColumnFile[columns];
    this.blocks = new ColumnBlock[columns];
    this.numbers = new int[columns];
    add(predicate, driving, drivingFile);
    for (ColumnSource s : beside) {
      add(predicate, s, read(s, () -> s.columns(request)));
    }
  }

  private void add(BoundPredicate predicate, ColumnSource source, ColumnFile file) {
    int column = predicate.columnOf(source.definition().column());
    sources[column] = source;
    files[column] = file;
    numbers[column] = -1;
  }

  /** Reads files of which it must be known whose they are if it fails. */
  private static <T> T read(ColumnSource source, IoSupplier<T> reading) throws IOException {
    try {
      return reading.get();
    } catch (IOException e) {
      throw new UnreadableColumnsException(source, e);
    } catch (RuntimeException e) {
      throw new UnreadableColumnsException(source, new CorruptIndexFileException("" + e, e));
    }
  }

  /** When the cells of rows that are not complex are from. */
  CellTimes times() {
    return drivingFile.times();
  }

  /** Whether values of a column of the predicate are known. */
  boolean has(int column) {
    return files[column] != null;
  }

  /** A block of a column that it {@link #has}. */
  ColumnBlock values(int column, int block) throws IOException {
    if (numbers[column] != block) {
      blocks[column] = read(sources[column], () -> files[column].values(block));
      numbers[column] = block;
    }
    return blocks[column];
  }

  /** The hashes of a block's rows. */
  int[] hashes(int block) throws IOException {
    return read(driving, () -> drivingFile.hashes(block));
  }

  /** The driving column's file, for another reader. */
  ColumnFile open() throws IOException {
    return read(driving, () -> driving.columns(request));
  }

  /** The HFile's rows, for a walk from the first to the last. */
  PlacedRows placed() throws IOException {
    return new PlacedRows(open(), hfile, request);
  }

  /** The same of this: a failure to read is that of the driving column's file. */
  <T> T reading(IoSupplier<T> reading) throws IOException {
    return read(driving, reading);
  }
}
