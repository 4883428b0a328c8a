package io.spyhop.server.view.store;

import io.spyhop.server.view.Run;
import io.spyhop.server.view.UnfitFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.SizeCachedByteBufferKeyValue;
import org.apache.hadoop.hbase.SizeCachedKeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsKeyValue;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.SpyhopBlocks;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ObjectIntPair;
import org.apache.hadoop.io.WritableUtils;

/**
 * Walks the cells of an HFile whose blocks hold plain cells, as those of {@code NONE} and {@code
 * ROW_INDEX_V1} do, by position: the number of the block in the upper bits, and in the lower 20 the
 * byte in the block where the cell begins. The cells are as HBase's own scanner makes them. Blocks
 * that HBase counts are given back when they have been left and {@link #shipped} is called, and by
 * {@link #close}. Not thread-safe.
 */
public final class HFileRun implements FileRun {
  private static final int OFFSET_MASK = (1 << PLACE_BITS) - 1;
  private static final int LENGTHS = 2 * Integer.BYTES;

  /** What a scan's first look at a run touches, line by line of the processor's cache. */
  private static final int AHEAD = 384;

  private static final int LINE = 64;

  private final BlockReader blocks;
  private final RecentBlocks recent;
  private final boolean hasTags;
  private final boolean hasSequences;
  private final boolean decodesSequences;
  private final boolean showsOneSequence;
  private final long sequence;
  private final List<HFileBlock> left = new ArrayList<>(0);
  private final ObjectIntPair<ByteBuffer> pair = new ObjectIntPair<>();
  private HFileBlock block;
  private int size;
  private boolean isReported;
  private int loaded = -1;
  private ByteBuff buffer;
  private byte[] array;
  private int base;
  private int end;

  private int number;
  private int at;
  private boolean parsed;
  private int keyLength;
  private int cellLength;
  private int tagsLength;
  private int next;
  private long cellSequence;

  /** Nobody reads it; without it the compiler would leave out what is touched. */
  @SuppressWarnings("unused")
  private int touched;

  HFileRun(HFile.Reader file, BlockReader blocks, RecentBlocks recent, OptionalLong sequence) {
    this.blocks = blocks;
    this.recent = recent;
    this.hasTags = file.getFileContext().isIncludesTags();
    this.hasSequences = file.getHFileInfo().shouldIncludeMemStoreTS();
    this.decodesSequences = file.getHFileInfo().isDecodeMemstoreTS();
    this.showsOneSequence = sequence.isPresent();
    this.sequence = sequence.orElse(0);
  }

  /**
   * Walks a file of which a view knows where the blocks are.
   *
   * @param cache where blocks are looked for first, as HBase's reader takes its time to; may be
   *     null
   * @param recent where they are looked for before that; null if they are not
   * @param cacheBlocks whether blocks that are read go to the block cache
   * @param sequence what HBase has cells of a bulk-loaded file show for a sequence id, of which -1
   *     is one; empty if they show their own
   */
  static HFileRun of(
      HFile.Reader file,
      BlockCache cache,
      RecentBlocks recent,
      boolean cacheBlocks,
      OptionalLong sequence,
      Run run) {
    return new HFileRun(file, BlockReader.of(file, cache, cacheBlocks, run), recent, sequence);
  }

  /** As the other, for who reads each block once. */
  public static HFileRun of(
      HFile.Reader file, boolean cacheBlocks, OptionalLong sequence, Run run) {
    return of(file, null, null, cacheBlocks, sequence, run);
  }

  /**
   * Walks a file from the beginning to the end, and notes where the blocks are.
   *
   * @param sequence as of {@link #of}
   */
  public static HFileRun discover(HFile.Reader file, OptionalLong sequence) {
    return new HFileRun(file, BlockReader.discovering(file), null, sequence);
  }

  /** Bytes of the HFile that were read. */
  public long read() {
    return blocks.read();
  }

  @Override
  public Run withBlocks(Run run) {
    return blocks.addTo(run, 0, blocks.count());
  }

  @Override
  public Run withBlocks(Run run, int first, int last) {
    return blocks.addTo(run, first, Math.min(last + 1, blocks.count()));
  }

  @Override
  public void place(long position) throws IOException {
    long wanted = position >>> PLACE_BITS;
    if (wanted > blocks.count()) {
      throw new DamagedViewException("no block " + wanted + " of " + blocks);
    }
    number = (int) wanted;
    at = (int) position & OFFSET_MASK;
    parsed = false;
  }

  /**
   * A scan takes a few cells here, then a few elsewhere, so that the processor does not foresee
   * them: it waits for all of these lines together now, not for one after the other later.
   */
  @Override
  public void expectMore() throws IOException {
    if (load() && array != null && at < end) {
      int first = base + at;
      int last = base + end - 1;
      int sum = 0;
      for (int i = LINE; i <= AHEAD; i += LINE) {
        sum += array[Math.min(first + i, last)];
      }
      touched = sum;
    }
  }

  @Override
  public long position() {
    return (long) number << PLACE_BITS | at;
  }

  @Override
  public void next() throws IOException {
    if (!parse()) {
      throw new DamagedViewException("no cell behind the last one of " + blocks.path());
    }
    parsed = false;
    if (next < end) {
      at = next;
      if (at > OFFSET_MASK) {
        throw new UnfitFileException(
            blocks.path().getName(),
            "a cell begins beyond the first megabyte of a block of "
                + blocks.path()
                + ", which is read beside the sorted view");
      }
    } else {
      number++;
      at = 0;
    }
  }

  @Override
  public Cell cell() throws IOException {
    if (!parse()) {
      return null;
    }
    Cell cell = array != null ? inArray(array, base + at) : inBuffer();
    if (showsOneSequence) {
      PrivateCellUtil.setSequenceId(cell, sequence);
    }
    return cell;
  }

  private Cell inArray(byte[] bytes, int offset) {
    return tagsLength > 0
        ? new SizeCachedKeyValue(bytes, offset, cellLength, cellSequence, keyLength)
        : new SizeCachedNoTagsKeyValue(bytes, offset, cellLength, cellSequence, keyLength);
  }

  /** A cell that lies across two buffers is copied by HBase. */
  private Cell inBuffer() {
    buffer.asSubByteBuffer(base + at, cellLength, pair);
    ByteBuffer bytes = pair.getFirst();
    int offset = pair.getSecond();
    if (bytes.hasArray()) {
      return inArray(bytes.array(), bytes.arrayOffset() + offset);
    }
    return tagsLength > 0
        ? new SizeCachedByteBufferKeyValue(bytes, offset, cellLength, cellSequence, keyLength)
        : new SizeCachedNoTagsByteBufferKeyValue(
            bytes, offset, cellLength, cellSequence, keyLength);
  }

  /** Tells how large the current block is, once for each. */
  void recordBlockSize(IntConsumer consumer) {
    if (loaded >= 0 && !isReported) {
      isReported = true;
      consumer.accept(size);
    }
  }

  /** Finds the parts of the cell at hand; false if there is none. */
  private boolean parse() throws IOException {
    if (parsed) {
      return true;
    }
    if (!load()) {
      return false;
    }
    if (at < 0 || end - at < LENGTHS) {
      throw damaged();
    }
    keyLength = readInt(at);
    int valueLength = readInt(at + Integer.BYTES);
    long behind = (long) at + LENGTHS + keyLength + valueLength;
    if (keyLength <= 0 || valueLength < 0 || behind > end) {
      throw damaged();
    }
    cellLength = LENGTHS + keyLength + valueLength;
    next = at + cellLength;
    tagsLength = 0;
    if (hasTags) {
      parseTags();
    }
    cellSequence = 0;
    if (hasSequences) {
      parseSequence();
    }
    parsed = true;
    return true;
  }

  private void parseTags() throws IOException {
    if (end - next < Short.BYTES) {
      throw damaged();
    }
    tagsLength = (readByte(next) & 0xff) << Byte.SIZE | readByte(next + 1) & 0xff;
    next += Short.BYTES + tagsLength;
    if (next > end) {
      throw damaged();
    }
    if (tagsLength > 0) {
      cellLength += Short.BYTES + tagsLength;
    }
  }

  private void parseSequence() throws IOException {
    if (next >= end) {
      throw damaged();
    }
    byte first = readByte(next);
    int length = WritableUtils.decodeVIntSize(first);
    if (end - next < length) {
      throw damaged();
    }
    if (decodesSequences) {
      cellSequence = length == 1 ? first : readSequence(first, length);
    }
    next += length;
  }

  private long readSequence(byte first, int length) {
    long value = 0;
    for (int i = 1; i < length; i++) {
      value = value << Byte.SIZE | readByte(next + i) & 0xff;
    }
    return WritableUtils.isNegativeVInt(first) ? ~value : value;
  }

  private byte readByte(int offset) {
    return array != null ? array[base + offset] : buffer.get(base + offset);
  }

  private int readInt(int offset) {
    if (array == null) {
      return buffer.getInt(base + offset);
    }
    int i = base + offset;
    return (array[i] & 0xff) << 24
        | (array[i + 1] & 0xff) << 16
        | (array[i + 2] & 0xff) << 8
        | array[i + 3] & 0xff;
  }

  private DamagedViewException damaged() {
    return new DamagedViewException(
        "no cell at byte " + at + " of " + end + " in block " + number + " of " + blocks.path());
  }

  /** Has the block at hand; false if the cursor is behind the last one. */
  private boolean load() throws IOException {
    if (number == loaded) {
      return true;
    }
    if (takeRecent()) {
      return true;
    }
    HFileBlock cached = number < blocks.count() ? blocks.cached(number) : null;
    HFileBlock found = cached != null ? cached : blocks.read(number);
    if (found == null) {
      return false;
    }
    take(found);
    if (cached != null && recent != null && array != null && !cached.isSharedMem()) {
      recent.add(blocks.file(), blocks.offset(number), array, base, end, size);
    }
    return true;
  }

  /** Takes a block that is known, if it is the one at hand. */
  private boolean takeRecent() {
    RecentBlocks.Block known =
        recent == null || number == blocks.count()
            ? null
            : recent.get(blocks.file(), blocks.offset(number));
    byte[] found = known == null ? null : known.get();
    if (found == null) {
      return false;
    }
    HFile.DATABLOCK_READ_COUNT.increment();
    blocks.count(known.size());
    begin(null, known.size());
    array = found;
    base = known.base();
    end = known.end();
    return true;
  }

  private void begin(HFileBlock taken, int bytes) {
    leave();
    block = taken;
    size = bytes;
    isReported = false;
    loaded = number;
  }

  private void take(HFileBlock taken) throws IOException {
    begin(taken, taken.getUncompressedSizeWithoutHeader());
    boolean encoded = taken.getBlockType() == BlockType.ENCODED_DATA;
    if (encoded) {
      cellsOfEncoded(taken);
    } else {
      ByteBuff bytes = taken.getBufferWithoutHeader();
      use(bytes, bytes.position(), bytes.remaining());
    }
  }

  private void cellsOfEncoded(HFileBlock taken) throws IOException {
    int start = taken.headerSize() + DataBlockEncoding.ID_SIZE;
    int behind = taken.headerSize() + taken.getUncompressedSizeWithoutHeader();
    int cells = SpyhopBlocks.cellBytes(taken);
    if (cells < 0 || cells > behind - start) {
      throw damaged();
    }
    use(taken.getBufferReadOnly(), start, cells);
  }

  private void use(ByteBuff bytes, int start, int length) {
    buffer = bytes;
    if (blocks.discovers() && !bytes.hasArray()) {
      array = bytes.toBytes(start, length);
      base = 0;
      block.release();
      block = null;
    } else if (bytes.hasArray()) {
      array = bytes.array();
      base = bytes.arrayOffset() + start;
    } else {
      array = null;
      base = start;
    }
    end = length;
  }

  private void leave() {
    if (block != null && block.isSharedMem()) {
      left.add(block);
    }
    block = null;
    loaded = -1;
  }

  @Override
  public void shipped() {
    if (!left.isEmpty()) {
      left.forEach(HFileBlock::release);
      left.clear();
    }
  }

  /** Gives all blocks back; cells are not to be read any more. */
  @Override
  public void close() {
    shipped();
    if (block != null) {
      block.release();
      block = null;
    }
    loaded = -1;
    parsed = false;
  }
}
