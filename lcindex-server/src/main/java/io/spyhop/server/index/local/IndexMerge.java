package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnStatistics;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;

/**
 * Makes the index files of a compacted HFile from those of its inputs, without reading it (LCIndex,
 * section III.C.2, "Compact"). Right only where the compaction neither dropped a cell nor joined
 * two inputs' cells in one row: {@link #keptEverything}. Use once; not thread-safe.
 */
public final class IndexMerge {
  private static final int CHECK_EVERY = 4096;

  private final IndexDirectory directory;
  private final BuildSettings settings;
  private final String hfile;
  private final IndexDefinition definition;
  private final BooleanSupplier cancelled;
  private final ColumnDictionary dictionary = new ColumnDictionary();
  private long records;

  /**
   * @param hfile the compacted HFile's name
   * @param cancelled asked now and then; if true, the merge ends with a {@link
   *     CancellationException}
   */
  public IndexMerge(
      IndexDirectory directory,
      BuildSettings settings,
      String hfile,
      IndexDefinition definition,
      BooleanSupplier cancelled) {
    this.directory = directory;
    this.settings = settings;
    this.hfile = hfile;
    this.definition = definition;
    this.cancelled = cancelled;
  }

  /**
   * Whether a compaction kept every cell of its inputs and no row lay in two of them, by counts
   * alone: a dropped cell makes the first sum larger than the output's count, a shared row the
   * second.
   *
   * @param inputs index files of all inputs
   * @param cells the output's cells, of whatever kind
   * @param rows the output's distinct rows
   */
  public static boolean keptEverything(List<IndexFile> inputs, long cells, long rows) {
    long cellsIn = 0;
    long rowsIn = 0;
    for (IndexFile f : inputs) {
      cellsIn += f.cells();
      rowsIn += f.counts().rows();
    }
    return cellsIn == cells && rowsIn == rows;
  }

  /**
   * Merges.
   *
   * @param inputs the inputs' files of this index; the caller holds them retained
   * @return empty if the inputs' columns together are too many for one file
   */
  public Optional<PreparedFile> merge(List<IndexFile> inputs) throws IOException {
    List<CheckedFile> files = new ArrayList<>();
    ColumnStatistics.Builder statistics = ColumnStatistics.builder();
    long cells = 0;
    for (IndexFile f : inputs) {
      files.add(f.checked());
      statistics.add(f.header().statistics());
      cells += f.cells();
    }
    try (RecordMerge merge = RecordMerge.of(directory.fileSystem(), files, settings.conf())) {
      int[][] numbers = new int[inputs.size()][];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = numbers(merge.dictionary(i));
        if (numbers[i] == null) {
          return Optional.empty();
        }
      }
      return Optional.of(write(merge, numbers, statistics, cells));
    }
  }

  /** For each column number of an input its number in the output; null if there are too many. */
  private int[] numbers(ColumnDictionary input) {
    int[] numbers = new int[input.size()];
    for (int n = 0; n < numbers.length; n++) {
      numbers[n] = dictionary.number(input.qualifier(n));
      if (numbers[n] < 0) {
        return null;
      }
    }
    return numbers;
  }

  private PreparedFile write(
      RecordMerge merge, int[][] numbers, ColumnStatistics.Builder statistics, long cells)
      throws IOException {
    StatisticsSink counted = new StatisticsSink(definition, statistics);
    Path path = directory.newTemporary();
    CheckedFile made = null;
    try (IFileWriter writer =
        new IFileWriter(directory.fileSystem(), path, settings.conf(), settings.family())) {
      merge.drain(
          (input, record) -> {
            counted.key(record.array(), record.rowOffset(), record.rowLength());
            append(writer, record, numbers[input]);
          });
      made = writer.finish(hfile, Layout.CLUSTERING, dictionary);
    } finally {
      if (made == null) {
        directory.deleteTemporary(path);
      }
    }
    return new PreparedFile(directory, settings, made, hfile, definition, cells, counted.finish());
  }

  private void append(IFileWriter writer, SpyhopCells record, int[] numbers) throws IOException {
    if (++records % CHECK_EVERY == 0 && cancelled.getAsBoolean()) {
      throw new CancellationException("index merge for " + hfile + " is cancelled");
    }
    if (isIdentity(numbers)) {
      writer.append(record);
      return;
    }
    byte[] b = record.array();
    int off = record.valueOffset();
    int len = record.valueLength();
    PackedRow.check(b, off, len);
    ByteArrayOutputStream renumbered = new ByteArrayOutputStream(len + 16);
    PackedRow.renumber(b, off, len, numbers, new DataOutputStream(renumbered));
    byte[] value = renumbered.toByteArray();
    writer.append(record, value, 0, value.length);
  }

  private static boolean isIdentity(int[] numbers) {
    for (int n = 0; n < numbers.length; n++) {
      if (numbers[n] != n) {
        return false;
      }
    }
    return true;
  }
}
