package io.spyhop.server.view.store;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.HConstants;

/**
 * The bytes of blocks of HFiles that scans of a server have just read, as long as the block cache
 * has them. Only blocks of the heap that nobody counts can be among them. To look a block up in the
 * block cache takes longer than to read a row of it. There are one to two places for each block of
 * 64 KB that the cache has room for; of two blocks with one place the later one is kept.
 * Thread-safe.
 */
public final class RecentBlocks {
  private static final int MOST_PLACES = 1 << 20;
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  /** Of so many scans one has the block cache know which blocks are read. */
  private static final int ASKING = 8;

  private final AtomicReferenceArray<Block> blocks;
  private final ReferenceQueue<byte[]> gone = new ReferenceQueue<>();

  /** A block's array, and where the cells are in it. */
  static final class Block extends WeakReference<byte[]> {
    private final String file;
    private final long offset;
    private final int base;
    private final int end;
    private final int size;

    private Block(
        String file,
        long offset,
        byte[] array,
        int base,
        int end,
        int size,
        ReferenceQueue<byte[]> gone) {
      super(array, gone);
      this.file = file;
      this.offset = offset;
      this.base = base;
      this.end = end;
      this.size = size;
    }

    /** Where the first cell begins, of the array. */
    int base() {
      return base;
    }

    /** How many bytes the cells have. */
    int end() {
      return end;
    }

    /** What HBase takes for the block's size. */
    int size() {
      return size;
    }
  }

  /**
   * @param cache bytes of the block cache's part on the heap
   */
  public RecentBlocks(long cache) {
    long held = Math.max(1, Math.min(cache / HConstants.DEFAULT_BLOCKSIZE, MOST_PLACES / 2));
    blocks = new AtomicReferenceArray<>(2 * (int) Long.highestOneBit(held));
  }

  /** For a scan; null for some, which ask the block cache, so that it knows what is in use. */
  public RecentBlocks forScan() {
    return ThreadLocalRandom.current().nextInt(ASKING) == 0 ? null : this;
  }

  private int place(String file, long offset) {
    long mixed = (offset ^ file.hashCode()) * MULTIPLIER;
    return (int) (mixed >>> Integer.SIZE) & blocks.length() - 1;
  }

  /** What is known of the block of a file, which may be gone by now; null if nothing is. */
  Block get(String file, long offset) {
    Block known = blocks.get(place(file, offset));
    return known != null && known.offset == offset && known.file.equals(file) ? known : null;
  }

  /** Notes a block that the block cache has, and that is its own until it is collected. */
  void add(String file, long offset, byte[] array, int base, int end, int size) {
    forgetGone();
    blocks.set(place(file, offset), new Block(file, offset, array, base, end, size, gone));
  }

  /** Keeps nothing of blocks that nobody has any more. */
  private void forgetGone() {
    for (Reference<?> r = gone.poll(); r != null; r = gone.poll()) {
      Block block = (Block) r;
      blocks.compareAndSet(place(block.file, block.offset), block, null);
    }
  }
}
