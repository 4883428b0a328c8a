package io.spyhop.server.index.local;

import io.spyhop.server.seal.Sealed;
import io.spyhop.server.seal.SideFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index files of one region on one server, all in one directory. Thread-safe.
 *
 * <p>Commit: the IFile is written and synced under {@code .tmp}, renamed into the directory, then
 * the SFile likewise. A reader of the directory starts from SFiles; an IFile without one is a
 * leftover and is swept. Names contain a fresh UUID because HBase's block cache knows files by name
 * alone.
 */
public final class IndexDirectory {
  /**
   * The largest SFile that is believed: definitions allow {@code MAX_FLAGS} bounds of a key each.
   */
  private static final int MAX_SFILE = 64 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(IndexDirectory.class);

  private final FileSystem fs;
  private final Path directory;
  private final Path temporary;
  private final Configuration conf;
  private final Set<String> live = new HashSet<>();

  /**
   * @param conf the server's configuration, which knows the keys of encrypted files
   * @param directory where the region's files are
   * @param temporary where files are written first, on the same file system
   */
  public IndexDirectory(FileSystem fs, Configuration conf, Path directory, Path temporary) {
    this.fs = fs;
    this.conf = conf;
    this.directory = directory;
    this.temporary = temporary;
  }

  /** Whether a file of that name in a region's directory is one of Spyhop's. */
  public static boolean isIndexFile(String name) {
    return name.endsWith(IFileWriter.SUFFIX) || name.endsWith(SFile.SUFFIX);
  }

  FileSystem fileSystem() {
    return fs;
  }

  Path path(String name) {
    return new Path(directory, name);
  }

  Path newTemporary() throws IOException {
    mkdirs(temporary);
    return new Path(temporary, UUID.randomUUID().toString().replace("-", "") + IFileWriter.SUFFIX);
  }

  void deleteTemporary(Path path) throws IOException {
    fs.delete(path, false);
  }

  private void mkdirs(Path path) throws IOException {
    boolean there;
    try {
      there = fs.mkdirs(path);
    } catch (IOException e) {
      throw new IOException("cannot create the index directory " + path + ": " + e.getMessage(), e);
    }
    if (!there) {
      throw new IOException("cannot create the index directory " + path);
    }
  }

  /** Makes the header of an IFile from its name. */
  @FunctionalInterface
  interface HeaderOf {
    SFile header(String ifile);
  }

  /** Commits a finished IFile with its statistics. */
  synchronized IndexFile commit(Path finished, HeaderOf headerOf, ColumnFamilyDescriptor family)
      throws IOException {
    mkdirs(directory);
    SFile unnamed = headerOf.header(finished.getName());
    String unique = finished.getName().substring(0, SFile.UNIQUE);
    String base = unnamed.hfile() + "." + unnamed.index() + "." + unique;
    SFile header = headerOf.header(base + IFileWriter.SUFFIX);
    rename(finished, path(header.ifile()));
    Path written = new Path(temporary, header.name());
    byte[] bytes = Sealed.seal(header.encode(), conf, family);
    SideFiles.write(fs.create(written, true), bytes);
    rename(written, path(header.name()));
    live(header);
    return IndexFile.owned(this, header, bytes.length);
  }

  /**
   * Starts a file into which another server's IFile is copied.
   *
   * @param original the SFile of the file that is copied
   * @return what to write to; its {@link CopiedFile#commit} ends it
   */
  public CopiedFile newCopy(SFile original) throws IOException {
    return new CopiedFile(this, newTemporary(), original);
  }

  private void rename(Path from, Path to) throws IOException {
    if (!fs.rename(from, to)) {
      throw new IOException("cannot rename " + from + " to " + to);
    }
  }

  private void live(SFile header) {
    live.add(header.ifile());
    live.add(header.name());
  }

  /**
   * The committed files. What is damaged or incomplete is left out, logged, and swept later.
   *
   * @throws IOException if the directory cannot be read, or a file that is not damaged: what is
   *     left out would be swept ({@link FileDamage})
   */
  public synchronized List<IndexFile> load() throws IOException {
    List<IndexFile> files = new ArrayList<>();
    for (FileStatus status : list()) {
      if (status.getPath().getName().endsWith(SFile.SUFFIX)) {
        try {
          files.add(read(status));
        } catch (IOException | RuntimeException e) {
          if (!FileDamage.isDamage(e)) {
            throw new IOException("cannot read " + status.getPath() + " now: " + e, e);
          }
          LOG.warn("Leaving out {}: {}", status.getPath(), e.toString());
        }
      }
    }
    return files;
  }

  private FileStatus[] list() throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  /**
   * The SFile of one pair as it is on the disk now.
   *
   * @param unique what tells the pair from others of the same HFile and index
   * @throws IOException if there is none
   */
  public FileStatus sfile(String hfile, String index, String unique) throws IOException {
    return fs.getFileStatus(path(hfile + "." + index + "." + unique + SFile.SUFFIX));
  }

  /**
   * One committed pair as {@link #peek()} gives it.
   *
   * @param sfile what {@link #sfile} gave
   * @throws IOException if it is damaged
   */
  public IndexFile peek(FileStatus sfile) throws IOException {
    IndexDirectory reader = new IndexDirectory(fs, conf, directory, temporary);
    IndexFile file = reader.read(sfile);
    return file.borrowed(file.header().hfile());
  }

  /**
   * The committed files of a region that another object manages or nobody does, for reading only:
   * dropping them deletes nothing.
   */
  public List<IndexFile> peek() throws IOException {
    IndexDirectory reader = new IndexDirectory(fs, conf, directory, temporary);
    List<IndexFile> files = new ArrayList<>();
    for (IndexFile f : reader.load()) {
      files.add(f.borrowed(f.header().hfile()));
    }
    return files;
  }

  private IndexFile read(FileStatus status) throws IOException {
    byte[] bytes = SideFiles.read(fs, status.getPath(), MAX_SFILE);
    SFile header = SFile.decode(Sealed.open(bytes, conf));
    long length = fs.getFileStatus(path(header.ifile())).getLen();
    if (length != header.ifileLength() || !status.getPath().getName().equals(header.name())) {
      throw new CorruptIndexFileException(
          header.ifile() + " has " + length + " bytes, its SFile says " + header.ifileLength());
    }
    live(header);
    return IndexFile.owned(this, header, status.getLen());
  }

  /** Deletes the SFile first, so that what a crash leaves is no committed pair. */
  synchronized void delete(SFile header) throws IOException {
    live.remove(header.name());
    live.remove(header.ifile());
    fs.delete(path(header.name()), false);
    fs.delete(path(header.ifile()), false);
  }

  /**
   * Deletes files of this directory that belong to no pair that was loaded or committed through
   * this object.
   *
   * @return how many files were deleted
   */
  public synchronized int sweep() throws IOException {
    int deleted = 0;
    for (FileStatus status : list()) {
      String name = status.getPath().getName();
      if (status.isFile() && isIndexFile(name) && !live.contains(name)) {
        LOG.info("Deleting index file that nothing uses: {}", status.getPath());
        deleted += fs.delete(status.getPath(), false) ? 1 : 0;
      }
    }
    return deleted;
  }
}
