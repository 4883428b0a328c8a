package io.spyhop.server.ddl;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.seal.SideFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small files of a master's notes, in one directory that only its owner may read. Each is there
 * whole or not at all, at any time; one whose name ends in {@code .tmp} was not finished.
 * Thread-safe for different names.
 */
public final class NoteFiles {
  private static final Logger LOG = LoggerFactory.getLogger(NoteFiles.class);
  private static final String UNFINISHED = ".tmp";
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  private final FileSystem fs;
  private final Path directory;
  private final int mostBytes;

  /**
   * @param directory need not be there
   * @param mostBytes a longer file is damaged
   */
  public NoteFiles(FileSystem fs, Path directory, int mostBytes) {
    this.fs = fs;
    this.directory = directory;
    this.mostBytes = mostBytes;
  }

  /** Writes a file; one of the same name is there until this one is. */
  public void write(String name, byte[] bytes) throws IOException {
    if (!fs.exists(directory)) {
      fs.mkdirs(directory, OWNER_ONLY);
    }
    Path file = path(name);
    Path written = file.suffix(UNFINISHED);
    SideFiles.write(fs.create(written, true), bytes);
    FileContext.getFileContext(fs.getUri(), fs.getConf())
        .rename(written, file, Options.Rename.OVERWRITE);
  }

  /**
   * Reads a file, in one go: another may take its place meanwhile.
   *
   * @throws FileNotFoundException if there is none
   * @throws CorruptFrameException if it is too long
   */
  public byte[] read(String name) throws IOException {
    return SideFiles.read(fs, path(name), mostBytes);
  }

  /** Whether there is a file. */
  public boolean has(String name) throws IOException {
    return fs.exists(path(name));
  }

  /** Deletes a file, if there is one. */
  public void delete(String name) throws IOException {
    fs.delete(path(name), false);
  }

  /** The files that were finished. */
  public List<String> names() throws IOException {
    try {
      return Stream.of(fs.listStatus(directory))
          .map(FileStatus::getPath)
          .map(Path::getName)
          .filter(name -> !name.endsWith(UNFINISHED))
          .toList();
    } catch (FileNotFoundException e) {
      LOG.debug("Nothing has been noted in {}", directory, e);
      return List.of();
    }
  }

  /** Where a file is. */
  public Path path(String name) {
    return new Path(directory, name);
  }
}
