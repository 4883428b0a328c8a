package io.spyhop.server.index.local;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.memory.UnshippedBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Builds the index files of one HFile for several indexes of its family in one pass.
 *
 * <ol>
 *   <li>The cells of the HFile are read once, row by row. Each row is packed once; each index adds
 *       an entry per distinct key of its column.
 *   <li>When the buffer is full, each index's entries are sorted and written to a run, a temporary
 *       IFile; the buffer starts anew.
 *   <li>At the end the last buffer (with the runs, if any) is merged into the IFile, and the
 *       statistics of the sorted stream make the SFile.
 * </ol>
 *
 * Memory is bounded by {@link BuildSettings#memory()} whatever the size of the HFile (LCIndex,
 * sections III.C.1 and III.C.2). Use once; not thread-safe.
 */
public final class IndexBuilder implements Closeable {
  private static final int CHECK_EVERY_ROWS = 256;

  private final BuildSettings settings;
  private final String hfile;
  private final List<IndexDefinition> definitions;
  private final BooleanSupplier cancelled;
  private final ColumnDictionary dictionary = new ColumnDictionary();
  private final List<RowPacker> packers = new ArrayList<>();
  private final List<RowPacker> packerOf = new ArrayList<>();
  private final RecordBuffer buffer;
  private final List<ColumnStatistics.Builder> statistics = new ArrayList<>();
  private final List<ColumnEntries> columns = new ArrayList<>();
  private final KnownColumns<List<ColumnEntries>> known;
  private final List<IndexFileBuild> builds = new ArrayList<>();
  private long rows;
  private long cells;

  /**
   * @param hfile the HFile's name
   * @param definitions indexes of one family
   * @param cancelled asked now and then; if true, the build ends with a {@link
   *     CancellationException}
   */
  public IndexBuilder(
      IndexDirectory directory,
      BuildSettings settings,
      String hfile,
      List<IndexDefinition> definitions,
      BooleanSupplier cancelled) {
    this.settings = settings;
    this.hfile = hfile;
    this.definitions = List.copyOf(definitions);
    this.cancelled = cancelled;
    this.buffer = new RecordBuffer(definitions);
    Map<Optional<SortedSet<ColumnName>>, RowPacker> packed = new HashMap<>();
    for (IndexDefinition d : definitions) {
      packerOf.add(packed.computeIfAbsent(d.local().include(), this::newPacker));
      ColumnStatistics.Builder s = ColumnStatistics.builder();
      statistics.add(s);
      columns.add(new ColumnEntries(d, s));
      builds.add(new IndexFileBuild(directory, settings, hfile, dictionary));
    }
    this.known = new KnownColumns<>(this::columnsOf);
  }

  private List<ColumnEntries> columnsOf(byte[] qualifier) {
    return IntStream.range(0, columns.size())
        .filter(i -> Arrays.equals(definitions.get(i).column().qualifier(), qualifier))
        .mapToObj(columns::get)
        .toList();
  }

  /** Indexes that store the same columns share a packed row. */
  private RowPacker newPacker(Optional<SortedSet<ColumnName>> include) {
    Set<ByteBuffer> qualifiers =
        include
            .map(
                columns ->
                    columns.stream()
                        .map(c -> ByteBuffer.wrap(c.qualifier()))
                        .collect(Collectors.toSet()))
            .orElse(null);
    RowPacker packer = new RowPacker(dictionary, settings.maxPackedRow(), qualifiers);
    packers.add(packer);
    return packer;
  }

  /**
   * Builds the files, not yet committed.
   *
   * @return one per definition and in their order
   */
  public List<PreparedFile> build(CellSource source) throws IOException {
    readRows(source);
    List<PreparedFile> files = new ArrayList<>();
    boolean done = false;
    try {
      for (int i = 0; i < definitions.size(); i++) {
        checkCancelled();
        files.add(builds.get(i).prepare(definitions.get(i), statistics.get(i), cells, buffer, i));
      }
      done = true;
    } finally {
      if (!done) {
        for (PreparedFile f : files) {
          f.close();
        }
      }
    }
    return files;
  }

  private void readRows(CellSource source) throws IOException {
    UnshippedBytes unshipped = new UnshippedBytes();
    Cell cell = source.next();
    while (cell != null) {
      byte[] row = CellUtil.cloneRow(cell);
      packers.forEach(RowPacker::begin);
      columns.forEach(ColumnEntries::begin);
      known.begin();
      while (cell != null && CellUtil.matchingRows(cell, row)) {
        cells++;
        for (RowPacker p : packers) {
          p.add(cell);
        }
        for (ColumnEntries c : known.of(cell)) {
          c.add(cell);
        }
        if (unshipped.add(cell)) {
          source.shipped();
        }
        cell = source.next();
      }
      endRow(row);
      if (++rows % CHECK_EVERY_ROWS == 0) {
        checkCancelled();
      }
    }
  }

  private void endRow(byte[] row) throws IOException {
    long[] addresses = new long[packers.size()];
    Arrays.fill(addresses, -1);
    for (int i = 0; i < columns.size(); i++) {
      RowPacker packer = packerOf.get(i);
      int p = packers.indexOf(packer);
      for (ValueKey key : columns.get(i).end(packer.isComplex())) {
        if (addresses[p] < 0) {
          addresses[p] = buffer.addRow(row, packer);
        }
        buffer.addEntry(i, key.bytes(), addresses[p]);
      }
    }
    if (buffer.size() > settings.memory()) {
      spill();
    }
  }

  private void spill() throws IOException {
    for (int i = 0; i < builds.size(); i++) {
      checkCancelled();
      builds.get(i).spill(buffer, i);
    }
    buffer.clear();
  }

  private void checkCancelled() {
    if (cancelled.getAsBoolean()) {
      throw new CancellationException("index build of " + hfile + " is cancelled");
    }
  }

  /** Deletes what is left of temporary files. */
  @Override
  public void close() throws IOException {
    for (IndexFileBuild b : builds) {
      b.close();
    }
  }
}
