package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;

/**
 * The statistics file of one HFile and index ({@code docs/formats/sfile.md}): it names the HFile,
 * the index as it was defined, and the IFile that it describes. It is written last, so that an
 * IFile without it does not exist.
 *
 * @param hfile the HFile's name (for a reference {@code name.parent})
 * @param definition the index, or rows; files of any other definition are not this index's
 * @param ifile the IFile's name, in the same directory
 * @param checksums of the IFile, which no reader goes without
 * @param cells the HFile's cells, of whatever kind
 * @param statistics what the IFile holds
 */
public record SFile(
    String hfile,
    IndexDefinition definition,
    String ifile,
    FileChecksums checksums,
    long cells,
    ColumnStatistics statistics) {
  /** What the names of statistics files end with. */
  public static final String SUFFIX = ".sfile";

  /** Digits in a name that are fresh for every pair. */
  static final int UNIQUE = 8;

  private static final int MAGIC = 0x53505346; // SPSF
  private static final int VERSION = 4;

  /** The IFile's size in bytes. */
  public long ifileLength() {
    return checksums.length();
  }

  /** The index's name. */
  public String index() {
    return definition.name();
  }

  /** What tells the pair from others of the same HFile and index: eight hexadecimal digits. */
  public String unique() {
    int end = ifile.length() - IFileWriter.SUFFIX.length();
    return ifile.substring(end - UNIQUE, end);
  }

  /** The name of the SFile that goes with an IFile. */
  static String name(String ifile) {
    return ifile.substring(0, ifile.length() - IFileWriter.SUFFIX.length()) + SUFFIX;
  }

  /** The same statistics for a part of the HFile under another name. */
  public SFile as(String otherHfile) {
    return new SFile(otherHfile, definition, ifile, checksums, cells, statistics);
  }

  /** The name of the IFile that goes with an SFile. */
  static String ifile(String name) {
    return name.substring(0, name.length() - SUFFIX.length()) + IFileWriter.SUFFIX;
  }

  /** The binary form, a frame. */
  public byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          out.writeUTF(hfile);
          out.writeUTF(definition.name());
          out.writeUTF(definition.text());
          out.writeUTF(ifile);
          checksums.write(out);
          out.writeLong(cells);
          statistics.write(out);
        });
  }

  /** Reads {@link #encode()}. */
  public static SFile decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "SFile",
        MAGIC,
        VERSION,
        bytes,
        in -> {
          String hfile = Frame.readUtf(in);
          String index = Frame.readUtf(in);
          IndexDefinition definition = RowsDefinition.parse(index, Frame.readUtf(in));
          String ifile = Frame.readUtf(in);
          if (!ifile.endsWith(IFileWriter.SUFFIX)
              || ifile.length() < UNIQUE + IFileWriter.SUFFIX.length()
              || ifile.contains("/")) {
            throw new CorruptFrameException("names IFile '" + ifile + "'");
          }
          return new SFile(
              hfile,
              definition,
              ifile,
              FileChecksums.read(in),
              in.readLong(),
              ColumnStatistics.read(in));
        });
  }
}
