package io.spyhop.server.view.store;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The bytes of blocks of one HFile that scans have just read, by the blocks' numbers, as long as
 * the block cache has them. Only blocks of the heap that nobody counts can be among them. To look a
 * block up in the block cache takes longer than to read a row of it. Thread-safe.
 */
final class RecentBlocks {
  private final AtomicReferenceArray<Block> blocks;
  private final ReferenceQueue<byte[]> gone = new ReferenceQueue<>();

  /** A block's array, and where the cells are in it. */
  static final class Block extends WeakReference<byte[]> {
    private final int number;
    private final int base;
    private final int end;
    private final int size;

    private Block(
        int number, byte[] array, int base, int end, int size, ReferenceQueue<byte[]> gone) {
      super(array, gone);
      this.number = number;
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
  void add(int number, byte[] array, int base, int end, int size) {
    forgetGone();
    blocks.set(number, new Block(number, array, base, end, size, gone));
  }

  /** Keeps nothing of blocks that nobody has any more. */
  private void forgetGone() {
    for (Reference<?> r = gone.poll(); r != null; r = gone.poll()) {
      Block block = (Block) r;
      blocks.compareAndSet(block.number, block, null);
    }
  }
}
