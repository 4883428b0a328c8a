package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.view.Run;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * Columnar files that are built of the cells that a flush or compaction writes into an HFile, so
 * that it need not be read. Where its rows are is foretold ({@link ForetoldBlocks}), and known once
 * the HFile is there; if it turns out otherwise the file of the rows is not built. Use once; not
 * thread-safe.
 */
public final class StreamedFiles implements Closeable {
  /** What a file in the making has in memory: a block of values, a sample of keys, buffers. */
  private static final long FILE_BYTES = 512 << 10;

  private final ColumnFileBuilder builder;
  private final MemoryBudget budget;
  private ForetoldBlocks blocks;
  private long reserved;

  /** Of the reserved bytes, those for rows whose blocks are not known yet. */
  private long ofRows;

  private StreamedFiles(ColumnFileBuilder builder, MemoryBudget budget, long reserved) {
    this.builder = builder;
    this.budget = budget;
    this.reserved = reserved;
  }

  /**
   * Begins to build.
   *
   * @param definitions columnar indexes of one family, perhaps its rows
   * @param withSequences whether the HFile's writer adds each cell's sequence id; empty if it may
   *     change them, and the file of the rows is not to be built
   * @param budget memory of all that are built at once
   * @return empty if there is no memory
   */
  public static Optional<StreamedFiles> begin(
      IndexDirectory directory,
      BuildSettings settings,
      List<IndexDefinition> definitions,
      Optional<Boolean> withSequences,
      MemoryBudget budget)
      throws IOException {
    long bytes = definitions.size() * FILE_BYTES;
    if (!budget.tryReserve(bytes)) {
      return Optional.empty();
    }
    StreamedFiles begun = null;
    try {
      begun =
          new StreamedFiles(new ColumnFileBuilder(directory, settings, definitions), budget, bytes);
    } finally {
      if (begun == null) {
        budget.release(bytes);
      }
    }
    begun.foretell(settings, withSequences);
    return Optional.of(begun);
  }

  private void foretell(BuildSettings settings, Optional<Boolean> withSequences)
      throws IOException {
    if (withSequences.isPresent() && ForetoldBlocks.areOf(settings.family())) {
      blocks = new ForetoldBlocks(settings.family(), withSequences.get());
    } else {
      dropRows();
    }
  }

  /** Takes the HFile's next cell. */
  public void add(Cell cell) throws IOException {
    boolean ended = builder.add(cell, blocks == null ? 0 : blocks.place(cell));
    if (ended && blocks != null && !(blocks.mayFit() && reserve())) {
      dropRows();
    }
  }

  private boolean reserve() {
    long more = builder.heapSize() + blocks.heapSize() - ofRows;
    boolean found = budget.tryReserve(more);
    if (found) {
      ofRows += more;
      reserved += more;
    }
    return found;
  }

  private void dropRows() throws IOException {
    blocks = null;
    budget.release(ofRows);
    reserved -= ofRows;
    ofRows = 0;
    builder.dropRows();
  }

  /**
   * Ends the files, not yet committed.
   *
   * @param file the HFile, without its blocks
   * @return one per definition, but none of the rows where they are not known; none at all if the
   *     HFile has other cells
   */
  public List<PreparedFile> finish(Run file, HFile.Reader reader) throws IOException {
    if (builder.cells() != file.entries()) {
      return List.of();
    }
    Optional<Run> known = blocks == null ? Optional.empty() : blocks.confirm(file, reader);
    if (known.isEmpty()) {
      dropRows();
    }
    return builder.finish(file.name(), (first, last) -> known.orElseThrow().part(first, last + 1));
  }

  /** Deletes the files that were not handed out. */
  @Override
  public void close() throws IOException {
    budget.release(reserved);
    reserved = 0;
    builder.close();
  }
}
