package io.spyhop.server.index.stats;

import io.spyhop.core.stats.SourceSummary;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;

/**
 * The statistics of one HFile as they are kept beside it, {@code
 * docs/formats/region-statistics.md}. Immutable, thread-safe.
 *
 * @param hfile the HFile's name
 * @param cells how many cells it has
 * @param summary what is known of it
 */
record FileStatistics(String hfile, long cells, SourceSummary summary) {
  private static final int MAGIC = 0x53505246; // SPRF
  private static final int VERSION = 1;

  byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          out.writeUTF(hfile);
          out.writeLong(cells);
          summary.write(out);
        });
  }

  /**
   * Reads the bytes.
   *
   * @throws CorruptFrameException if they are damaged, or of another HFile
   */
  static FileStatistics decode(String hfile, byte[] bytes) throws CorruptFrameException {
    FileStatistics read =
        Frame.decode(
            "statistics of HFile " + hfile,
            MAGIC,
            VERSION,
            bytes,
            in -> new FileStatistics(Frame.readUtf(in), in.readLong(), SourceSummary.read(in)));
    if (!read.hfile.equals(hfile)) {
      throw new CorruptFrameException("statistics of HFile " + hfile + " are of " + read.hfile);
    }
    return read;
  }
}
