package io.spyhop.server.view.store;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Blocks of one HFile that scans have just read, by their numbers, as long as somebody else has
 * them, which is the block cache. Only blocks of the heap that nobody counts can be among them. To
 * look a block up in the block cache takes longer than to read a row of it. Thread-safe.
 */
final class RecentBlocks {
  private final AtomicReferenceArray<Block> blocks;

  /** A block, and where its cells are in its array. */
  static final class Block extends WeakReference<HFileBlock> {
    private final int base;
    private final int end;

    private Block(HFileBlock block, int base, int end) {
      super(block);
      this.base = base;
      this.end = end;
    }

    /** Where the first cell begins, of the array. */
    int base() {
      return base;
    }

    /** How many bytes the cells have. */
    int end() {
      return end;
    }
  }

  /**
   * @param count how many blocks the HFile has
   */
  RecentBlocks(int count) {
    blocks = new AtomicReferenceArray<>(count);
  }

  /** What is known of a block, which may be gone by now; null if nothing is. */
  Block get(int number) {
    return blocks.get(number);
  }

  /** Notes a block that the block cache has, and that is its own until it is collected. */
  void add(int number, HFileBlock block, int base, int end) {
    blocks.set(number, new Block(block, base, end));
  }
}
