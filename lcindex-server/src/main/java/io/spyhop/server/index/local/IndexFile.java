package io.spyhop.server.index.local;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnCounts;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.stats.RangeEstimate;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.memory.QueryMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committed index files of one HFile and index, or of its rows. Thread-safe.
 *
 * <p>Readers {@link #retain()} it first; a dropped file goes from the disk when the last reader has
 * released it. What the SFile says beyond counts, and the IFile's reader, are there from their
 * first use until other files need the room ({@link OpenFiles}).
 */
public final class IndexFile implements ColumnSource, OpenFiles.Holder {
  private static final Logger LOG = LoggerFactory.getLogger(IndexFile.class);

  /** A decoded SFile takes at most twice its size, and its objects. */
  private static final int HEADER_BYTES = 1 << 10;

  private final IndexDirectory directory;
  private final String hfile;
  private final Outline outline;
  private final boolean owned;
  private final UUID identity = UUID.randomUUID();

  private SFile header;
  private IFileReader reader;
  private int references;
  private boolean idle;
  private boolean dropped;
  private boolean closed;

  /**
   * Facts of the files that are always in memory.
   *
   * @param ifile the IFile's name
   * @param cells the HFile's
   */
  private record Outline(
      IndexDefinition definition,
      String ifile,
      long ifileLength,
      long sfileLength,
      long cells,
      ColumnCounts counts) {
    boolean isOf(SFile header) {
      return definition.equals(header.definition())
          && ifile.equals(header.ifile())
          && ifileLength == header.ifileLength()
          && cells == header.cells()
          && counts.equals(header.statistics().counts());
    }
  }

  private IndexFile(IndexDirectory directory, String hfile, Outline outline, boolean owned) {
    this.directory = directory;
    this.hfile = hfile;
    this.outline = outline;
    this.owned = owned;
  }

  /**
   * Files of a directory.
   *
   * @param definition the header's, or an equal one that others have, too
   */
  static IndexFile owned(
      IndexDirectory directory, SFile header, IndexDefinition definition, long sfileLength) {
    Outline outline =
        new Outline(
            definition,
            header.ifile(),
            header.ifileLength(),
            sfileLength,
            header.cells(),
            header.statistics().counts());
    return new IndexFile(directory, header.hfile(), outline, true);
  }

  /**
   * The same files read under another HFile's name, without owning them: that of a reference to the
   * HFile, or of a link. If the owner deletes them, reading fails and they are built anew.
   */
  public IndexFile borrowed(String byHfile) {
    return new IndexFile(directory, byHfile, outline, false);
  }

  @Override
  public UUID identity() {
    return identity;
  }

  /** Whether dropping deletes the files. */
  public boolean isOwned() {
    return owned;
  }

  /** Whether all of it is among files. */
  boolean isAmong(Set<String> names) {
    return names.contains(outline.ifile) && names.contains(SFile.name(outline.ifile));
  }

  /** The HFile's name, for a reference {@code name.parent}. */
  public String hfile() {
    return hfile;
  }

  /** The IFile's name. */
  public String ifile() {
    return outline.ifile;
  }

  /** Size of the IFile in bytes. */
  public long ifileLength() {
    return outline.ifileLength;
  }

  /** Size of the SFile in bytes. */
  public long sfileLength() {
    return outline.sfileLength;
  }

  /** The HFile's cells, of whatever kind. */
  public long cells() {
    return outline.cells;
  }

  /** How many there are of everything. */
  public ColumnCounts counts() {
    return outline.counts;
  }

  /** Where the IFile is, and what it must hold. */
  CheckedFile checked() throws IOException {
    return new CheckedFile(directory.path(outline.ifile), header().checksums());
  }

  /**
   * Opens the IFile's bytes for copying them elsewhere; the caller holds a {@link #retain()} and
   * closes the stream, of which no damaged byte can be read.
   */
  public FSDataInputStream open() throws IOException {
    return VerifiedFileSystem.open(directory.fileSystem(), checked());
  }

  /** What the SFile says. */
  public SFile header() throws IOException {
    SFile known = known();
    if (known == null) {
      known = directory.header(outline.ifile);
      if (!outline.isOf(known)) {
        throw new CorruptIndexFileException("the SFile of " + outline.ifile + " is another now");
      }
      known = known.as(hfile);
    }
    used(known, null);
    return known;
  }

  /** The same, with what its SFile says: it is needed soon. */
  IndexFile with(SFile said) {
    used(said, null);
    return this;
  }

  private synchronized SFile known() {
    return header;
  }

  /** What was read is kept, unless it was meanwhile, and others make room. */
  private void used(SFile read, IFileReader opened) {
    List<OpenFiles.Holder> others = List.of();
    synchronized (this) {
      header = header == null ? read : header;
      reader = reader == null ? opened : reader;
      idle = false;
      if (references == 0 && (dropped || closed)) {
        header = null;
      } else {
        others = directory.openFiles().used(this, heapSize(), reader != null);
      }
    }
    others.forEach(OpenFiles.Holder::rest);
  }

  private long heapSize() {
    long head = header == null ? 0 : HEADER_BYTES + 2 * outline.sfileLength;
    return head + (reader == null ? 0 : reader.heapSize());
  }

  @Override
  public synchronized void rest() {
    idle = true;
    try {
      if (references == 0) {
        letGo(false);
      }
    } catch (IOException e) {
      LOG.warn("Closing {} failed", this, e);
    }
  }

  /** Keeps the files from being deleted; false if they were dropped or closed already. */
  public synchronized boolean retain() {
    if (dropped || closed) {
      return false;
    }
    references++;
    return true;
  }

  /** Gives back one {@link #retain()}. */
  public synchronized void release() throws IOException {
    references--;
    endIfUnused();
  }

  /** Deletes the files now, or when the last reader releases them. */
  public synchronized void drop() throws IOException {
    dropped = true;
    endIfUnused();
  }

  /** Closes the files now, or when the last reader releases them; they stay on the disk. */
  public synchronized void close() throws IOException {
    closed = true;
    endIfUnused();
  }

  private void endIfUnused() throws IOException {
    if (references > 0) {
      return;
    }
    if (dropped || closed) {
      directory.openFiles().forget(this);
      letGo(true);
    } else if (idle) {
      letGo(false);
    }
    if (dropped && owned) {
      directory.delete(outline.ifile);
    }
  }

  /**
   * @param forGood whether its blocks are not needed in the block cache any more
   */
  private void letGo(boolean forGood) throws IOException {
    IFileReader open = reader;
    header = null;
    reader = null;
    if (open != null) {
      open.close(forGood);
    }
  }

  /** What the files hold. */
  private Layout layout() {
    return definition().local().layout();
  }

  /**
   * Reads records with a key in the ranges, and those of values without a key; the caller holds a
   * {@link #retain()}.
   */
  public RecordCursor records(RecordRequest request) throws IOException {
    return switch (layout()) {
      case CLUSTERING -> {
        List<KeyRange> all = new ArrayList<>();
        if (counts().unkeyable() > 0) {
          all.add(new KeyRange(ValueKey.UNKEYABLE, ValueKey.UNKEYABLE));
        }
        all.addAll(keyed(request.keys()));
        yield cursor(request, c -> new AscendingWalk(c, all));
      }
      case COLUMNAR -> new RowOrderCursor(this, request);
    };
  }

  /**
   * Reads records in the order of their keys, ascending or descending, and of equal keys by
   * ascending rows; as the other method, but values without a key are left out.
   *
   * @param memory for what is kept of all records, where they are in another order
   */
  public OrderedCursor ordered(boolean descending, RecordRequest request, QueryMemory memory)
      throws IOException {
    if (layout() == Layout.COLUMNAR) {
      return new ValueOrderCursor(this, descending, request, memory);
    }
    List<KeyRange> some = new ArrayList<>(keyed(request.keys()));
    if (descending) {
      Collections.reverse(some);
    }
    return cursor(
        request, descending ? c -> new DescendingWalk(c, some) : c -> new AscendingWalk(c, some));
  }

  private OrderedCursor cursor(RecordRequest request, Function<SpyhopCells, RecordWalk> way)
      throws IOException {
    IFileReader file = reader(request.reading().cache(), request.reading().conf());
    return new IFileCursor(file, definition().column().family(), way, request);
  }

  @Override
  public IndexDefinition definition() {
    return outline.definition;
  }

  @Override
  public ColumnFile columns(StoreFileReader of, ReadSettings settings) throws IOException {
    if (cells() != of.getHFileReader().getEntries()) { // a half only guesses
      throw new CorruptIndexFileException(this + " is of another HFile than " + of);
    }
    IFileReader file = reader(settings.cache(), settings.conf());
    return new ColumnFile(file, counts().rows(), settings.cacheBlocks());
  }

  /**
   * How many records reading the ranges meets, about (see {@link RangeEstimate}); the caller holds
   * a {@link #retain()}. Where the IFile cannot be read this goes by its statistics alone, and is 0
   * without these: what to do about it is for those to say who then read it for an answer.
   */
  public long estimate(KeyRanges ranges, CacheConfig cache, Configuration conf) {
    ColumnStatistics statistics;
    try {
      statistics = header().statistics();
    } catch (IOException e) {
      LOG.debug("Estimating {} without its statistics", this, e);
      return 0;
    }
    if (layout() == Layout.COLUMNAR) {
      return RangeEstimate.of(statistics, ranges);
    }
    try {
      return RangeEstimate.of(statistics, ranges, new Look(reader(cache, conf), statistics));
    } catch (IOException e) {
      LOG.debug("Estimating {} without looking into it", this, e);
      return RangeEstimate.of(statistics, ranges);
    }
  }

  /** A look into the file; its values without a key come before the smallest key. */
  private record Look(IFileReader file, ColumnStatistics statistics)
      implements RangeEstimate.Counter {
    @Override
    public double about(KeyRange range) {
      return file.about(lower(range), range.upper());
    }

    @Override
    public long count(KeyRange range, long most) throws IOException {
      return file.count(lower(range), range.upper(), most);
    }

    private ValueKey lower(KeyRange range) {
      return range.lower() == null ? ValueKey.of(statistics.min(), true) : range.lower();
    }
  }

  /** An open lower end begins at the smallest key, after the values without one. */
  private List<KeyRange> keyed(KeyRanges ranges) throws IOException {
    ColumnStatistics statistics = header().statistics();
    byte[] min = statistics.min();
    if (min == null || !ranges.overlaps(min, statistics.max())) {
      return List.of();
    }
    List<KeyRange> list = new ArrayList<>(ranges.ranges());
    if (list.get(0).lower() == null) {
      list.set(0, new KeyRange(ValueKey.of(min, true), list.get(0).upper()));
    }
    return list;
  }

  /** Opened at once by several threads, one reader stays. */
  private IFileReader reader(CacheConfig cache, Configuration conf) throws IOException {
    IFileReader known = openReader();
    IFileReader opened =
        known == null
            ? new IFileReader(directory.fileSystem(), checked(), layout(), cache, conf)
            : null;
    used(null, opened);
    known = openReader();
    if (opened != null && opened != known) {
      opened.close(false);
    }
    return known;
  }

  private synchronized IFileReader openReader() {
    return reader;
  }

  @Override
  public String toString() {
    return hfile + "/" + definition().name();
  }
}
