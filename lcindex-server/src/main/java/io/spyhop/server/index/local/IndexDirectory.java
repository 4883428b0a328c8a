package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
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

  /** How often in a row a directory is not listed as it seems not to have been modified. */
  private static final int MOST_BELIEVED = 30;

  private static final long ABSENT = -1;
  private static final long UNKNOWN = -2;
  private static final Logger LOG = LoggerFactory.getLogger(IndexDirectory.class);

  private final FileSystem fs;
  private final Path directory;
  private final Path temporary;
  private final Configuration conf;
  private final OpenFiles openFiles;

  /** The IFiles of committed pairs. */
  private final Set<String> live = new HashSet<>();

  /** When the directory had been modified as it was listed last and nothing was found. */
  private long listed = UNKNOWN;

  /** Whether that was so at the listing before, too. */
  private boolean steady;

  /** How often it was not listed since. */
  private int believed;

  /**
   * Differences of the directory from what should be in it.
   *
   * @param lost files of it that are not on the disk any more
   * @param leftovers files that belong to no pair that was loaded or committed through this object;
   *     names do not come again, so that they may be deleted whenever it is known that nothing else
   *     used the directory when they were listed
   */
  public record Differences(List<IndexFile> lost, List<Path> leftovers) {
    private static final Differences NONE = new Differences(List.of(), List.of());

    private boolean areNone() {
      return lost.isEmpty() && leftovers.isEmpty();
    }
  }

  /**
   * @param conf the server's configuration, which knows the keys of encrypted files
   * @param directory where the region's files are
   * @param temporary where files are written first, on the same file system
   * @param openFiles those of the server
   */
  public IndexDirectory(
      FileSystem fs, Configuration conf, Path directory, Path temporary, OpenFiles openFiles) {
    this.fs = fs;
    this.conf = conf;
    this.directory = directory;
    this.temporary = temporary;
    this.openFiles = openFiles;
  }

  /** Whether a file of that name in a region's directory is one of Spyhop's. */
  public static boolean isIndexFile(String name) {
    return name.endsWith(IFileWriter.SUFFIX) || name.endsWith(SFile.SUFFIX);
  }

  FileSystem fileSystem() {
    return fs;
  }

  OpenFiles openFiles() {
    return openFiles;
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
    String name = SFile.name(header.ifile());
    Path written = new Path(temporary, name);
    byte[] bytes = Sealed.seal(header.encode(), conf, family);
    SideFiles.write(fs.create(written, true), bytes);
    rename(written, path(name));
    live.add(header.ifile());
    return IndexFile.owned(this, header, header.definition(), bytes.length);
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

  /**
   * The committed files. What is damaged or incomplete is left out, logged, and swept later.
   *
   * @param expected definitions, which files of equal ones share
   * @throws IOException if the directory cannot be read, or a file that is not damaged: what is
   *     left out would be swept ({@link FileDamage})
   */
  public synchronized List<IndexFile> load(List<IndexDefinition> expected) throws IOException {
    List<IndexFile> files = new ArrayList<>();
    List<String> damaged = new ArrayList<>();
    for (FileStatus status : list()) {
      if (status.getPath().getName().endsWith(SFile.SUFFIX)) {
        try {
          files.add(pair(header(status.getPath()), status, expected));
        } catch (IOException | RuntimeException e) {
          if (!FileDamage.isDamage(e)) {
            throw new IOException("cannot read " + status.getPath() + " now: " + e, e);
          }
          LOG.debug("Leaving out {}", status.getPath(), e);
          damaged.add(status.getPath().getName() + " (" + e + ")");
        }
      }
    }
    if (!damaged.isEmpty()) {
      LOG.warn("Leaving out {} of {}, first {}", damaged.size(), directory, damaged.get(0));
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
    SFile header = header(sfile.getPath());
    IndexFile file = reader().pair(header, sfile, List.of());
    return file.borrowed(header.hfile()).with(header);
  }

  /**
   * The committed files of a region that another object manages or nobody does, for reading only:
   * dropping them deletes nothing.
   */
  public List<IndexFile> peek() throws IOException {
    List<IndexFile> files = new ArrayList<>();
    for (IndexFile f : reader().load(List.of())) {
      files.add(f.borrowed(f.hfile()));
    }
    return files;
  }

  private IndexDirectory reader() {
    return new IndexDirectory(fs, conf, directory, temporary, openFiles);
  }

  private IndexFile pair(SFile header, FileStatus status, List<IndexDefinition> expected)
      throws IOException {
    long length = fs.getFileStatus(path(header.ifile())).getLen();
    if (length != header.ifileLength()
        || !status.getPath().getName().equals(SFile.name(header.ifile()))) {
      throw new CorruptIndexFileException(
          header.ifile() + " has " + length + " bytes, its SFile says " + header.ifileLength());
    }
    live.add(header.ifile());
    IndexDefinition definition = header.definition();
    int known = expected.indexOf(definition);
    return IndexFile.owned(
        this, header, known < 0 ? definition : expected.get(known), status.getLen());
  }

  /** What the SFile of an IFile says. */
  SFile header(String ifile) throws IOException {
    return header(path(SFile.name(ifile)));
  }

  private SFile header(Path sfile) throws IOException {
    return SFile.decode(Sealed.open(SideFiles.read(fs, sfile, MAX_SFILE), conf));
  }

  /** Deletes the SFile first, so that what a crash leaves is no committed pair. */
  synchronized void delete(String ifile) throws IOException {
    live.remove(ifile);
    listed = UNKNOWN; // what cannot be deleted now is left over, and changes nothing
    fs.delete(path(SFile.name(ifile)), false);
    fs.delete(path(ifile), false);
  }

  /**
   * Compares the directory with what should be in it. It is not listed while it has not been
   * modified since two listings that found nothing: one alone may have been in the same millisecond
   * as a change after it. Now and then it is nevertheless: programs can set the time back.
   *
   * @param committed before this was called
   */
  public synchronized Differences differences(List<IndexFile> committed) throws IOException {
    long now = modified();
    if (steady && now == listed && believed < MOST_BELIEVED) {
      believed++;
      return Differences.NONE;
    }
    believed = 0;
    Differences found = compare(committed);
    steady = found.areNone() && now == listed;
    listed = found.areNone() ? now : UNKNOWN;
    return found;
  }

  private long modified() throws IOException {
    try {
      return fs.getFileStatus(directory).getModificationTime();
    } catch (FileNotFoundException e) {
      return ABSENT;
    }
  }

  private Differences compare(List<IndexFile> committed) throws IOException {
    Set<String> there = new HashSet<>();
    List<Path> leftovers = new ArrayList<>();
    for (FileStatus status : list()) {
      String name = status.getPath().getName();
      there.add(name);
      if (status.isFile() && isIndexFile(name) && !isLive(name)) {
        leftovers.add(status.getPath());
      }
    }
    return new Differences(
        committed.stream().filter(f -> f.isOwned() && !f.isAmong(there)).toList(), leftovers);
  }

  /** Deletes what {@link #differences} has found to be left over. */
  public void delete(List<Path> leftovers) throws IOException {
    for (Path path : leftovers) {
      LOG.debug("Deleting index file that nothing uses: {}", path);
      fs.delete(path, false);
    }
    if (!leftovers.isEmpty()) {
      LOG.info("Deleted {} index files that nothing uses from {}", leftovers.size(), directory);
    }
  }

  private boolean isLive(String name) {
    return live.contains(name.endsWith(SFile.SUFFIX) ? SFile.ifile(name) : name);
  }
}
