package io.spyhop.server.ddl;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.seal.SideFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small files of a master's notes, in one directory that only its owner may read. Nothing is
 * renamed, which an object store does not do at once: a note is written beside the one before, in a
 * file whose name ends in {@code .tmp}, and then in its place. So one of both is whole at any time;
 * the second counts while the first is damaged. Thread-safe for different names, and for readers of
 * a name that is written.
 *
 * @param <T> the notes
 */
public final class NoteFiles<T> {
  private static final Logger LOG = LoggerFactory.getLogger(NoteFiles.class);
  private static final String BESIDE = ".tmp";
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  /** A note that is replaced while it is read is read again. */
  private static final int MOST_READS = 10;

  private final FileSystem fs;
  private final Path directory;
  private final int mostBytes;
  private final Function<T, byte[]> encoder;
  private final Decoder<T> decoder;

  /** Reads a note's bytes, and finds out whether they are all that was written. */
  @FunctionalInterface
  public interface Decoder<T> {
    /**
     * Reads them.
     *
     * @throws CorruptFrameException if they are damaged
     */
    T decode(byte[] bytes) throws CorruptFrameException;
  }

  /**
   * @param directory need not be there
   * @param mostBytes a longer file is damaged
   */
  public NoteFiles(
      FileSystem fs,
      Path directory,
      int mostBytes,
      Function<T, byte[]> encoder,
      Decoder<T> decoder) {
    this.fs = fs;
    this.directory = directory;
    this.mostBytes = mostBytes;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  /** Writes a note; until it is there, the one before of the same name is. */
  public void write(String name, T note) throws IOException {
    if (!fs.exists(directory)) {
      fs.mkdirs(directory, OWNER_ONLY);
    }
    Path file = path(name);
    Path beside = file.suffix(BESIDE);
    byte[] bytes = encoder.apply(note);
    if (!isDamaged(file)) { // the one beside is whole then, and stays until this one is
      SideFiles.write(fs.create(beside, true), bytes);
    }
    SideFiles.write(fs.create(file, true), bytes);
    fs.delete(beside, false);
  }

  private boolean isDamaged(Path file) throws IOException {
    try {
      decode(file);
      return false;
    } catch (FileNotFoundException e) {
      return false;
    } catch (CorruptFrameException e) {
      LOG.info("{} was not written to its end", file, e);
      return true;
    }
  }

  private T decode(Path file) throws IOException {
    return decoder.decode(SideFiles.read(fs, file, mostBytes));
  }

  /**
   * Reads a note; it may be replaced meanwhile.
   *
   * @throws FileNotFoundException if there is none
   * @throws CorruptFrameException if it is damaged, or too long
   */
  public T read(String name) throws IOException {
    CorruptFrameException damage = null;
    for (int i = 0; i < MOST_READS; i++) {
      try {
        return decode(path(name));
      } catch (CorruptFrameException e) {
        damage = e;
      }
      try {
        return decode(path(name).suffix(BESIDE));
      } catch (FileNotFoundException | CorruptFrameException e) {
        damage.addSuppressed(e);
      }
    }
    throw damage;
  }

  /** Whether there is a note, or a damaged one. */
  public boolean has(String name) throws IOException {
    return fs.exists(path(name));
  }

  /** Deletes a note, if there is one. */
  public void delete(String name) throws IOException {
    fs.delete(path(name), false);
    fs.delete(path(name).suffix(BESIDE), false);
  }

  /** The names of all notes, also of damaged ones. */
  public List<String> names() throws IOException {
    try {
      return Stream.of(fs.listStatus(directory))
          .map(FileStatus::getPath)
          .map(Path::getName)
          .filter(name -> !name.endsWith(BESIDE))
          .toList();
    } catch (FileNotFoundException e) {
      LOG.debug("Nothing has been noted in {}", directory, e);
      return List.of();
    }
  }

  /** Where a note is. */
  public Path path(String name) {
    return new Path(directory, name);
  }
}
