package io.spyhop.server.index.local;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.stats.RangeEstimate;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.memory.QueryMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
 * released it.
 */
public final class IndexFile implements ColumnSource {
  private static final Logger LOG = LoggerFactory.getLogger(IndexFile.class);

  private final IndexDirectory directory;
  private final SFile header;
  private final long sfileLength;
  private final boolean owned;

  private IFileReader reader;
  private int references;
  private boolean dropped;
  private boolean closed;

  private IndexFile(IndexDirectory directory, SFile header, long sfileLength, boolean owned) {
    this.directory = directory;
    this.header = header;
    this.sfileLength = sfileLength;
    this.owned = owned;
  }

  static IndexFile owned(IndexDirectory directory, SFile header, long sfileLength) {
    return new IndexFile(directory, header, sfileLength, true);
  }

  /**
   * The same files read under another HFile's name, without owning them: that of a reference to the
   * HFile, or of a link. If the owner deletes them, reading fails and they are built anew.
   */
  public IndexFile borrowed(String hfile) {
    return new IndexFile(directory, header.as(hfile), sfileLength, false);
  }

  /** Whether dropping deletes the files. */
  public boolean isOwned() {
    return owned;
  }

  /** Where the IFile is, and what it must hold. */
  CheckedFile checked() {
    return new CheckedFile(directory.path(header.ifile()), header.checksums());
  }

  /**
   * Opens the IFile's bytes for copying them elsewhere; the caller holds a {@link #retain()} and
   * closes the stream, of which no damaged byte can be read.
   */
  public FSDataInputStream open() throws IOException {
    return VerifiedFileSystem.open(directory.fileSystem(), checked());
  }

  /** What the SFile says. */
  public SFile header() {
    return header;
  }

  /** The SFile's statistics. */
  public ColumnStatistics statistics() {
    return header.statistics();
  }

  /** Size of the SFile in bytes. */
  public long sfileLength() {
    return sfileLength;
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
    if (references > 0 || !(dropped || closed)) {
      return;
    }
    if (reader != null) {
      reader.close();
      reader = null;
    }
    if (dropped && owned) {
      directory.delete(header);
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
        if (header.statistics().unkeyable() > 0) {
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
    IFileReader file = reader(request.cache(), request.conf());
    return new IFileCursor(file, definition().column().family(), way, request);
  }

  @Override
  public IndexDefinition definition() {
    return header.definition();
  }

  @Override
  public ColumnFile columns(StoreFileReader hfile, RecordRequest request) throws IOException {
    if (header.cells() != hfile.getHFileReader().getEntries()) { // a half only guesses
      throw new CorruptIndexFileException(this + " is of another HFile than " + hfile);
    }
    IFileReader file = reader(request.cache(), request.conf());
    return new ColumnFile(file, header.statistics().rows(), request.cacheBlocks());
  }

  /**
   * How many records reading the ranges meets, about (see {@link RangeEstimate}); the caller holds
   * a {@link #retain()}. Where the file cannot be read this goes by its statistics alone: what to
   * do about it is for those to say who read it for an answer.
   */
  public long estimate(KeyRanges ranges, CacheConfig cache, Configuration conf) {
    ColumnStatistics statistics = header.statistics();
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
  private List<KeyRange> keyed(KeyRanges ranges) {
    byte[] min = header.statistics().min();
    if (min == null || !ranges.overlaps(min, header.statistics().max())) {
      return List.of();
    }
    List<KeyRange> list = new ArrayList<>(ranges.ranges());
    if (list.get(0).lower() == null) {
      list.set(0, new KeyRange(ValueKey.of(min, true), list.get(0).upper()));
    }
    return list;
  }

  private synchronized IFileReader reader(CacheConfig cache, Configuration conf)
      throws IOException {
    if (reader == null) {
      reader = new IFileReader(directory.fileSystem(), checked(), layout(), cache, conf);
    }
    return reader;
  }

  @Override
  public String toString() {
    return header.hfile() + "/" + header.index();
  }
}
