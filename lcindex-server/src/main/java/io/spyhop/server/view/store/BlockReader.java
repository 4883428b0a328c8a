package io.spyhop.server.view.store;

import io.spyhop.server.view.Run;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.SpyhopBlocks;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Reads the blocks of data of an HFile by their numbers. Where they are is known, or found while
 * the file is read from the beginning to the end. Who gets a block releases it. Not thread-safe.
 */
final class BlockReader {
  private static final int FIRST_ROOM = 16;

  private final HFile.Reader file;
  private final DataBlockEncoding encoding;
  private final BlockCache cache;
  private final boolean cacheBlocks;
  private final boolean discovers;
  private long[] offsets;
  private int[] sizes;
  private int count;
  private long read;
  private boolean counts;

  private BlockReader(
      HFile.Reader file, BlockCache cache, boolean cacheBlocks, long[] offsets, int[] sizes) {
    this.file = file;
    this.encoding = file.getEffectiveEncodingInCache(false);
    this.cache = cache;
    this.cacheBlocks = cacheBlocks;
    this.discovers = offsets == null;
    this.offsets = discovers ? new long[FIRST_ROOM] : offsets;
    this.sizes = discovers ? new int[FIRST_ROOM] : sizes;
    this.count = discovers ? 0 : offsets.length;
  }

  /**
   * Of a file whose blocks a run knows.
   *
   * @param cache where blocks can be looked for; null if they cannot
   * @param cacheBlocks whether blocks that are read go to the block cache
   */
  static BlockReader of(HFile.Reader file, BlockCache cache, boolean cacheBlocks, Run run) {
    return new BlockReader(file, cache, cacheBlocks, run.offsets(), run.sizes());
  }

  /** Has blocks count to the call that is served; for who reads beside HBase's own scanners. */
  BlockReader counting() {
    counts = true;
    return this;
  }

  /** Finds the blocks on the way. */
  static BlockReader discovering(HFile.Reader file) {
    return new BlockReader(file, null, false, null, null);
  }

  /** The file's name, as the block cache knows it. */
  String file() {
    return file.getName();
  }

  /** Where in the file a known block begins. */
  long offset(int number) {
    return offsets[number];
  }

  Path path() {
    return file.getPath();
  }

  /** Whether the file is read from the beginning to the end. */
  boolean discovers() {
    return discovers;
  }

  /** How many blocks are known. */
  int count() {
    return count;
  }

  /** A run with some of the blocks that are known. */
  Run addTo(Run run, int from, int to) {
    return run.withBlocks(
        Arrays.copyOfRange(offsets, from, to), Arrays.copyOfRange(sizes, from, to));
  }

  /**
   * A known block from the cache, as HBase's reader would take it from there; null if it is not
   * there in the form that is needed. That reader makes a text of each block's name, for tracing,
   * which takes longer than all the rest. A miss is for it to count.
   */
  HFileBlock cached(int number) {
    if (cache == null) {
      return null;
    }
    BlockCacheKey key =
        new BlockCacheKey(
            file.getName(), offsets[number], file.isPrimaryReplicaReader(), BlockType.DATA);
    if (!(cache.getBlock(key, cacheBlocks, true, true) instanceof HFileBlock found)) {
      return null;
    }
    if (found.isUnpacked() && isEncodedAsExpected(found)) {
      HFile.DATABLOCK_READ_COUNT.increment();
      return counted(found);
    }
    found.release();
    return null;
  }

  private boolean isEncodedAsExpected(HFileBlock found) {
    return found.getBlockType().isData() && SpyhopBlocks.encoding(found) == encoding;
  }

  /** A block, wherever it is; null if there are not so many. */
  HFileBlock read(int number) throws IOException {
    if (number < count) {
      return read(offsets[number], sizes[number], BlockType.DATA);
    }
    return discovers ? discover() : null;
  }

  private HFileBlock read(long offset, int size, BlockType type) throws IOException {
    boolean pread = !discovers;
    HFileBlock found =
        file.readBlock(offset, size, cacheBlocks, pread, false, true, type, encoding);
    read += found.getOnDiskSizeWithHeader();
    return counted(found);
  }

  private HFileBlock counted(HFileBlock found) {
    count(found.getUncompressedSizeWithoutHeader());
    return found;
  }

  /** A block of so many bytes is read, wherever it is. */
  void count(int bytes) {
    if (counts) {
      SpyhopAccess.countBlock(bytes);
    }
  }

  /** Bytes of blocks that were read, wherever HBase's reader had them. */
  long read() {
    return read;
  }

  /** Reads on to the next block of data; between them lie parts of indexes and bloom filters. */
  private HFileBlock discover() throws IOException {
    if (file.getEntries() == 0) {
      return null;
    }
    long last = file.getTrailer().getLastDataBlockOffset();
    long offset =
        count == 0
            ? file.getTrailer().getFirstDataBlockOffset()
            : offsets[count - 1] + sizes[count - 1];
    while (offset <= last) {
      HFileBlock found = read(offset, -1, null);
      int size = found.getOnDiskSizeWithHeader();
      if (found.getBlockType().isData()) {
        note(offset, size);
        return found;
      }
      found.release();
      offset += size;
    }
    return null;
  }

  private void note(long offset, int size) {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
    offsets[count] = offset;
    sizes[count++] = size;
  }

  @Override
  public String toString() {
    return count + " in " + file.getPath();
  }
}
