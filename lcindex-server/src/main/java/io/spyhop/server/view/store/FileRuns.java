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
   * Walks blocks that are known, which are numbered as the run has them.
   *
   * @param cache where they are looked for first; may be null
   * @param cacheBlocks whether blocks that are read go to the block cache
   * @param sequence as of {@link HFileRun#of}
   */
  public static FileRun of(
      HFile.Reader file, BlockCache cache, boolean cacheBlocks, OptionalLong sequence, Run run) {
    return ViewOption.isReadable(file.getDataBlockEncoding())
        ? HFileRun.of(file, cache, null, cacheBlocks, sequence, run)
        : new EncodedRun(file, BlockReader.of(file, cache, cacheBlocks, run), sequence);
  }
}
