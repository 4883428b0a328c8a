package io.spyhop.server.local;

import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;

/**
 * The statistics file of one HFile and index ({@code docs/formats/sfile.md}): it names the HFile
 * and the IFile that it describes. It is written last, so that an IFile without it does not exist.
 *
 * @param hfile the HFile's name (for a reference {@code name.parent})
 * @param index the index's name
 * @param incarnation the index's incarnation
 * @param ifile the IFile's name, in the same directory
 * @param ifileLength the IFile's size in bytes
 * @param tail how the IFile ends
 * @param statistics what the IFile holds
 */
public record SFile(
    String hfile,
    String index,
    long incarnation,
    String ifile,
    long ifileLength,
    IFileTail tail,
    ColumnStatistics statistics) {
  /** What the names of statistics files end with. */
  public static final String SUFFIX = ".sfile";

  private static final int MAGIC = 0x53505346; // SPSF
  private static final int VERSION = 2;

  /** The file's bytes. */
  byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          out.writeUTF(hfile);
          out.writeUTF(index);
          out.writeLong(incarnation);
          out.writeUTF(ifile);
          out.writeLong(ifileLength);
          tail.write(out);
          statistics.write(out);
        });
  }

  /** Reads a file's bytes. */
  static SFile decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "SFile",
        MAGIC,
        VERSION,
        bytes,
        in ->
            new SFile(
                in.readUTF(),
                in.readUTF(),
                in.readLong(),
                in.readUTF(),
                in.readLong(),
                IFileTail.read(in),
                ColumnStatistics.read(in)));
  }
}
