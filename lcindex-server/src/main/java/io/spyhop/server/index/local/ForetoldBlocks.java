package io.spyhop.server.index.local;

import io.spyhop.core.schema.ViewOption;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.store.FileRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.SpyhopBlocks;
import org.apache.hadoop.io.WritableUtils;

/**
 * Foretells in which block, and where in it, HBase's writer puts each cell of an HFile that is
 * being written. A block ends before the first cell of another key once its cells, and the offsets
 * of rows that {@code ROW_INDEX_V1} adds, have its size, which is that before they are encoded.
 * Whether that came true is read from the index of the HFile's blocks, which holds a key between
 * the last cell of one block and the first of the next. Not thread-safe.
 */
final class ForetoldBlocks {
  private static final int OVERHEAD = 80;

  private final int enough;
  private final DataBlockEncoding encoding;
  private final boolean withSequences;
  private final List<Border> borders = new ArrayList<>();
  private int bytes;
  private int cells;
  private int offsets;
  private byte[] row;
  private long heapSize;
  private boolean fits = true;

  /** Whether the writer adds each cell's tags, of which most have none: as the first cell says. */
  private boolean withTags;

  /** The key of the last cell, if another block may begin behind it. */
  private byte[] last;

  /**
   * The beginning of a block.
   *
   * @param before the key of the cell before it; null where there is none
   * @param first the key of its first cell
   */
  private record Border(byte[] before, byte[] first) {
    boolean isAt(Cell indexed, CellComparator order) {
      return compare(indexed, first, order) <= 0
          && (before == null || compare(indexed, before, order) > 0);
    }

    private static int compare(Cell indexed, byte[] key, CellComparator order) {
      return PrivateCellUtil.compareKeyIgnoresMvcc(
          order, indexed, new KeyValue.KeyOnlyKeyValue(key));
    }
  }

  /**
   * @param withSequences whether the writer adds each cell's sequence id
   */
  ForetoldBlocks(ColumnFamilyDescriptor family, boolean withSequences) {
    this.enough = family.getBlocksize();
    this.encoding = family.getDataBlockEncoding();
    this.withSequences = withSequences;
  }

  /** Whether a place in a block is a byte, and not the number of a cell. */
  private boolean isByte() {
    return ViewOption.isReadable(encoding);
  }

  /** Where the next cell will be, as {@link FileRun#position} says it. */
  long place(Cell cell) {
    withTags = borders.isEmpty() ? cell.getTagsLength() > 0 : withTags;
    if (borders.isEmpty() || last != null && !Arrays.equals(last, key(cell))) {
      begin(cell);
    }
    int inBlock = isByte() ? bytes : cells;
    fits &= inBlock < 1 << FileRun.PLACE_BITS && (withTags || cell.getTagsLength() == 0);
    cells++;
    bytes += size(cell);
    offsets += offset(cell);
    last = bytes + offsets >= enough ? key(cell) : null;
    return (long) (borders.size() - 1) << FileRun.PLACE_BITS | inBlock;
  }

  private void begin(Cell cell) {
    byte[] first = key(cell);
    borders.add(new Border(last, first));
    heapSize += OVERHEAD + first.length + (last == null ? 0 : last.length);
    bytes = 0;
    cells = 0;
    offsets = 0;
    row = null;
  }

  private static byte[] key(Cell cell) {
    return PrivateCellUtil.getCellKeySerializedAsKeyValueKey(cell);
  }

  private int size(Cell cell) {
    return KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE
        + PrivateCellUtil.estimatedSerializedSizeOfKey(cell)
        + cell.getValueLength()
        + (withTags ? KeyValue.TAGS_LENGTH_SIZE + cell.getTagsLength() : 0)
        + (withSequences ? WritableUtils.getVIntSize(cell.getSequenceId()) : 0);
  }

  /** Bytes that say where the cell's row begins. */
  private int offset(Cell cell) {
    if (encoding != DataBlockEncoding.ROW_INDEX_V1
        || row != null && CellUtil.matchingRows(cell, row)) {
      return 0;
    }
    row = CellUtil.cloneRow(cell);
    return Integer.BYTES;
  }

  /** Whether nothing has come up yet that cannot be foretold: late tags, blocks of a megabyte. */
  boolean mayFit() {
    return fits;
  }

  /** Bytes of memory, to a few. */
  long heapSize() {
    return heapSize;
  }

  /**
   * The HFile with its blocks; empty if they are not those that were foretold.
   *
   * @param file the HFile, without its blocks
   * @param reader of an HFile of just the cells that were asked about
   */
  Optional<Run> confirm(Run file, HFile.Reader reader) throws IOException {
    if (!fits
        || reader.getDataBlockEncoding() != encoding
        || reader.getFileContext().isIncludesTags() != withTags
        || reader.getHFileInfo().shouldIncludeMemStoreTS() != withSequences
        || !SpyhopBlocks.isIndexed(reader)) {
      return Optional.empty();
    }
    Found found = new Found(reader.getComparator());
    SpyhopBlocks.forEachIndexed(reader, found::add);
    return found.areAll(reader)
        ? Optional.of(file.withBlocks(found.offsets, found.sizes))
        : Optional.empty();
  }

  /** The blocks that the HFile has. */
  private final class Found {
    private final CellComparator order;
    private final long[] offsets = new long[borders.size()];
    private final int[] sizes = new int[borders.size()];
    private int count;
    private boolean asForetold = true;

    Found(CellComparator order) {
      this.order = order;
    }

    void add(long offset, int size, Cell key) {
      asForetold &= count < offsets.length && borders.get(count).isAt(key, order);
      if (asForetold) {
        offsets[count] = offset;
        sizes[count] = size;
        count++;
      }
    }

    boolean areAll(HFile.Reader reader) throws IOException {
      return asForetold
          && count > 0
          && count == offsets.length
          && (!isByte() || isLastOfSize(reader));
    }

    /** The last block is read, as nothing comes behind it that could tell its size. */
    private boolean isLastOfSize(HFile.Reader reader) throws IOException {
      HFileBlock end =
          reader.readBlock(
              offsets[count - 1],
              sizes[count - 1],
              false,
              true,
              false,
              false,
              BlockType.DATA,
              reader.getEffectiveEncodingInCache(false));
      try {
        return SpyhopBlocks.cellBytes(end) == bytes;
      } finally {
        end.release();
      }
    }
  }
}
