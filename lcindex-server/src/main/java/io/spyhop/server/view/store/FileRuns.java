package io.spyhop.server.view.store;

import io.spyhop.core.schema.ViewOption;
import io.spyhop.server.view.Run;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;

/** Opens walks through HFiles of any encoding. Stateless. */
public final class FileRuns {
  private FileRuns() {}

  /**
   * Walks a file from the beginning to the end, and notes where the blocks are. Cells stay valid.
   *
   * @param sequence as of {@link HFileRun#of}
   */
  public static FileRun discover(HFile.Reader file, OptionalLong sequence) {
    return ViewOption.isReadable(file.getDataBlockEncoding())
        ? HFileRun.discover(file, sequence)
        : new EncodedRun(file, BlockReader.discovering(file), sequence);
  }

  /**
   * Walks blocks that are known, which are numbered as the run has them, and count to the call that
   * is served.
   *
   * @param cache where they are looked for first; may be null
   * @param recent where they are looked for before that; null if they are not
   * @param cacheBlocks whether blocks that are read go to the block cache
   * @param sequence as of {@link HFileRun#of}
   */
  public static FileRun of(
      HFile.Reader file,
      BlockCache cache,
      RecentBlocks recent,
      boolean cacheBlocks,
      OptionalLong sequence,
      Run run) {
    BlockReader blocks = BlockReader.of(file, cache, cacheBlocks, run).counting();
    return ViewOption.isReadable(file.getDataBlockEncoding())
        ? new HFileRun(file, blocks, recent, sequence)
        : new EncodedRun(file, blocks, sequence);
  }
}
