package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.RowsDefinition;
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
  /** A file in the making has arrays for a block of rows, and buffers. */
  private static final long FILE_BYTES = 512 << 10;

  /** Memory is asked for so many cells at a time. */
  private static final int SLICE = 64;

  private final ColumnFileBuilder builder;
  private final MemoryBudget budget;

  /** Null if the file of the rows is not built. */
  private ForetoldBlocks blocks;

  private long reserved;

  /** Of the reserved bytes, those for what has been taken so far. */
  private long held;

  private boolean outOfMemory;

  private StreamedFiles(
      ColumnFileBuilder builder, ForetoldBlocks blocks, MemoryBudget budget, long reserved) {
    this.builder = builder;
    this.blocks = blocks;
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
    ForetoldBlocks blocks =
        withSequences.map(with -> new ForetoldBlocks(settings.family(), with)).orElse(null);
    List<IndexDefinition> built =
        definitions.stream().filter(d -> blocks != null || !RowsDefinition.is(d)).toList();
    long bytes = built.size() * FILE_BYTES;
    if (!budget.tryReserve(bytes)) {
      return Optional.empty();
    }
    boolean begun = false;
    try {
      ColumnFileBuilder builder = new ColumnFileBuilder(directory, settings, built);
      begun = true;
      return Optional.of(new StreamedFiles(builder, blocks, budget, bytes));
    } finally {
      if (!begun) {
        budget.release(bytes);
      }
    }
  }

  /** Takes the HFile's next cell. */
  public void add(Cell cell) throws IOException {
    if (outOfMemory) {
      return;
    }
    builder.add(cell, blocks == null ? 0 : blocks.place(cell));
    if (builder.cells() % SLICE == 0) {
      hold();
    }
  }

  /** Has memory for what was taken, or does without the rows, or without all. */
  private void hold() throws IOException {
    if (blocks != null && !(blocks.mayFit() && reserve())) {
      dropRows();
    }
    outOfMemory = blocks == null && !reserve();
    if (outOfMemory) {
      close();
    }
  }

  private boolean reserve() {
    long more = builder.heapSize() + (blocks == null ? 0 : blocks.heapSize()) - held;
    boolean found = more <= 0 || budget.tryReserve(more);
    if (found && more > 0) {
      held += more;
      reserved += more;
    }
    return found;
  }

  private void dropRows() throws IOException {
    blocks = null;
    budget.release(held);
    reserved -= held;
    held = 0;
    builder.dropRows();
  }

  /**
   * Ends the files, not yet committed.
   *
   * @param file the HFile, without its blocks
   * @return one per definition, but none of the rows where they are not known; none at all if the
   *     HFile has other cells, or there was no memory
   */
  public List<PreparedFile> finish(Run file, HFile.Reader reader) throws IOException {
    if (outOfMemory || builder.cells() != file.entries()) {
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
    held = 0;
    builder.close();
  }
}
