package io.spyhop.server.query.candidate;

import io.spyhop.server.index.local.ColumnSource;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.RecordRequest.Rival;
import io.spyhop.server.index.local.RowBounds;
import io.spyhop.server.index.local.RowLookup;
import io.spyhop.server.index.local.SharedRows;
import io.spyhop.server.view.store.RecentBlocks;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.BloomFilter;

/** One HFile in a query's list, with its index files or without. Not thread-safe. */
public final class FileSource {
  private final StoreFileScanner scanner;
  private final IndexedQuery query;
  private final Optional<IndexFile> rows;
  private final Optional<IndexFile> index;
  private final List<IndexFile> beside;
  private final SharedRows shared;
  private final RecentBlocks recent;
  private final boolean reference;
  private final boolean aboveReadPoint;
  private final RowBounds span;
  private final BloomFilter rowBloom;
  private RowLookup lookup;

  /**
   * @param query that asks
   * @param rows that tell where rows are, null if there are none
   * @param index of the driving index, null if there are none
   * @param beside of other indexes
   * @param shared the rows it has in common with others, null if there is no index
   * @param recent blocks of HFiles that scans have just read
   * @param name the file's name in the store, null if it is no longer there
   */
  FileSource(
      StoreFileScanner scanner,
      IndexedQuery query,
      IndexFile rows,
      IndexFile index,
      List<IndexFile> beside,
      SharedRows shared,
      RecentBlocks recent,
      String name,
      long readPoint) {
    this.scanner = scanner;
    this.query = query;
    this.rows = Optional.ofNullable(rows);
    this.beside = beside;
    this.shared = shared;
    this.recent = recent;
    this.reference = name != null && StoreFileInfo.isReference(name);
    this.index = Optional.ofNullable(index);
    StoreFileReader reader = SpyhopAccess.reader(scanner);
    this.aboveReadPoint = reader.getSequenceID() > readPoint || reader.isBulkLoaded();
    this.span = RowBounds.of(reader.getHFileReader());
    BloomFilter bloom = SpyhopAccess.bloom(reader);
    this.rowBloom = reader.getBloomFilterType() == BloomType.ROW ? bloom : null;
  }

  RecentBlocks recent() {
    return recent;
  }

  StoreFileScanner scanner() {
    return scanner;
  }

  public Optional<IndexFile> index() {
    return index;
  }

  /** The file that tells where its rows are; there where the index is columnar. */
  Optional<ColumnSource> rows() {
    return rows.map(r -> r);
  }

  /** Columnar files of further columns of the predicate. */
  List<ColumnSource> beside() {
    return List.copyOf(beside);
  }

  /** The rows that this HFile, which has an index, has in common with others. */
  SharedRows shared() {
    return shared;
  }

  /** This HFile, which has an index, as one that may have rows of another. */
  Rival asRival() {
    return new Rival(
        reader(), rows.orElseThrow(), index.orElseThrow(), beside(), shared, !aboveReadPoint);
  }

  /** The HFile itself. */
  StoreFileReader reader() {
    return SpyhopAccess.reader(scanner);
  }

  /** The oldest timestamp of a cell; as old as can be if that is not known. */
  long oldestTimestamp() {
    return SpyhopAccess.oldestTimestamp(reader());
  }

  /** Whether the file's records are those of a whole HFile of which the region has a part. */
  boolean isReference() {
    return reference;
  }

  /**
   * Whether the file's records never stand for a row: it may hold cells that the query must not
   * see, or (bulk loaded) cells whose sequence numbers say nothing.
   */
  boolean isAboveReadPoint() {
    return aboveReadPoint;
  }

  /**
   * Whether the file may hold cells of the row; false is a proof that it does not. A file without a
   * ROW bloom filter proves only by its first and last row (correctness rule 1). All this is said
   * of the whole HFile behind a reference: what a reference's own reader says of its part is a
   * guess (rule 24).
   */
  boolean mayContain(byte[] b, int off, int len) throws IOException {
    return span.mayContain(b, off, len)
        && (rowBloom == null || rowBloom.contains(b, off, len, null))
        && mayFind(b, off, len);
  }

  /** The same by the columnar file of its rows, if there is one. */
  private boolean mayFind(byte[] b, int off, int len) throws IOException {
    if (rows.isEmpty()) {
      return true;
    }
    try {
      if (lookup == null) {
        lookup = rows.get().lookup(reader(), query.reading(this));
      }
      return lookup.mayContain(b, off, len);
    } catch (IOException e) {
      throw UnreadableIndexException.of(rows.get(), e);
    }
  }

  /** Whether a row can lie within the first and the last row of both, empty files aside. */
  boolean overlaps(FileSource other) {
    return span.overlaps(other.span);
  }

  /** The index files that are to be released. */
  Stream<IndexFile> held() {
    return Stream.of(rows.stream(), index.stream(), beside.stream()).flatMap(s -> s);
  }

  @Override
  public String toString() {
    return scanner.getFilePath().getName();
  }
}
