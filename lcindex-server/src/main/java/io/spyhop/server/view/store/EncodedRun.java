package io.spyhop.server.view.store;

import io.spyhop.server.view.Run;
import io.spyhop.server.view.UnfitFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * Walks the cells of an HFile whose blocks are encoded so that each cell needs the one before it:
 * the place in a block is the number of the cell, and to go back is to begin the block again. Not
 * thread-safe.
 */
final class EncodedRun implements FileRun {
  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

  private final BlockReader blocks;
  private final DataBlockEncoder.EncodedSeeker seeker;
  private final OptionalLong sequence;
  private final List<HFileBlock> left = new ArrayList<>(0);
  private HFileBlock block;
  private int loaded = -1;

  /** The number of the cell that the seeker is at. */
  private int reached;

  /** Whether the block has no cell behind that one. */
  private boolean isLast;

  private int number;
  private int at;

  EncodedRun(HFile.Reader file, BlockReader blocks, OptionalLong sequence) {
    DataBlockEncoder encoder = file.getDataBlockEncoding().getEncoder();
    this.blocks = blocks;
    this.sequence = sequence;
    this.seeker =
        encoder.createSeeker(
            encoder.newDataBlockDecodingContext(
                ((Configurable) file).getConf(), file.getFileContext()));
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
    at = (int) position & PLACE_MASK;
  }

  @Override
  public long position() {
    return (long) number << PLACE_BITS | at;
  }

  @Override
  public Cell cell() throws IOException {
    if (!reach()) {
      return null;
    }
    Cell cell = seeker.getCell();
    if (sequence.isPresent()) {
      PrivateCellUtil.setSequenceId(cell, sequence.getAsLong());
    }
    return cell;
  }

  @Override
  public void next() throws IOException {
    if (!reach()) {
      throw new DamagedViewException("no cell behind the last one of " + blocks.path());
    }
    if (seeker.next()) {
      reached++;
      at = reached;
      if (at > PLACE_MASK) {
        throw new UnfitFileException(
            blocks.path().getName(), "more cells than can be numbered in a block of " + blocks);
      }
    } else {
      isLast = true;
      number++;
      at = 0;
    }
  }

  /** Has the seeker at the cell; false if the cursor is behind the last one. */
  private boolean reach() throws IOException {
    if (number != loaded && !load() || at < reached || isLast) {
      if (number != loaded) {
        return false;
      }
      seeker.rewind();
      reached = 0;
      isLast = false;
    }
    while (reached < at) {
      if (!seeker.next()) {
        throw new DamagedViewException("no cell " + at + " in block " + number + " of " + blocks);
      }
      reached++;
    }
    return true;
  }

  private boolean load() throws IOException {
    HFileBlock cached = number < blocks.count() ? blocks.cached(number) : null;
    HFileBlock found = cached != null ? cached : blocks.read(number);
    if (found == null) {
      return false;
    }
    leave();
    block = found;
    loaded = number;
    reached = 0;
    isLast = false;
    ByteBuff bytes = found.getBufferReadOnly();
    int start = found.headerSize() + DataBlockEncoding.ID_SIZE;
    int length = found.headerSize() + found.getUncompressedSizeWithoutHeader() - start;
    if (blocks.discovers()) {
      seeker.setCurrentBuffer(ByteBuff.wrap(ByteBuffer.wrap(bytes.toBytes(start, length))));
      found.release();
      block = null;
    } else {
      bytes.position(start);
      bytes.limit(start + length);
      seeker.setCurrentBuffer(bytes.slice());
    }
    return true;
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
    left.forEach(HFileBlock::release);
    left.clear();
  }

  @Override
  public void close() {
    shipped();
    if (block != null) {
      block.release();
      block = null;
    }
    loaded = -1;
  }
}
