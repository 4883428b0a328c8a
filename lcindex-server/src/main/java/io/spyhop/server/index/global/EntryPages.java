package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.SearchRequest;
import io.spyhop.server.access.IndexAccess;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.memory.ReadBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the entries of one region of an index table (DELI, Algorithm 2, line 1). Thread-safe.
 *
 * <p>An entry only says where a matching row may be: the client reads the row itself, with its
 * user's rights. What it learns here is the row keys and timestamps of one column, so the server
 * must have found that the user may read all of the column ({@link IndexAccess}).
 */
public final class EntryPages {
  private static final int MAX_ENTRIES = 100_000;
  private static final long MAX_BYTES = 4 << 20;

  private final HRegion region;

  /** Pages of a region of an index table. */
  public EntryPages(HRegion region) {
    this.region = region;
  }

  /**
   * Checks that the table holds an incarnation of the index.
   *
   * @throws DoNotRetryIOException if it holds another one
   */
  void require(long incarnation) throws DoNotRetryIOException {
    String found = region.getTableDescriptor().getValue(IndexTable.INCARNATION);
    if (!Long.toHexString(incarnation).equals(found)) {
      throw new DoNotRetryIOException(
          IndexAccess.CANNOT_SERVE
              + ": '"
              + region.getTableDescriptor().getTableName()
              + "' holds incarnation "
              + found
              + " of the index, not "
              + Long.toHexString(incarnation));
    }
  }

  /** What the table notes about itself. Its first region knows. */
  ControlNotes notes() throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(ControlRows.scan())) {
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
      }
      // The scanner's blocks, which the cells are in, are others' when it is closed.
      return ControlRows.notes(cells);
    }
  }

  /** A page of entries. */
  public EntryPage page(PageRequest request) throws IOException {
    Span span = new Span(request.from(), request.to());
    return page(
        new SearchRequest(
            request.incarnation(),
            List.of(span),
            request.before(),
            request.everyVersion(),
            request.limit()));
  }

  /** A page of the entries of several spans; it goes on in one of them, or behind all. */
  public EntryPage page(SearchRequest request) throws IOException {
    require(request.incarnation());
    List<Span> spans = request.spans();
    byte[] end = spans.get(spans.size() - 1).to();
    Scan scan =
        scan(request.before(), request.everyVersion())
            .withStartRow(spans.get(0).from())
            .withStopRow(end);
    return page(spans, request.limit(), scan, EntryPages::rowOf, behind(end));
  }

  /**
   * A page of the last entries in the request's range, from the last row to the first; it goes on
   * with what is before {@code next}.
   *
   * @throws DoNotRetryIOException if the region does not have the last rows of the range
   */
  public EntryPage pageBackwards(PageRequest request) throws IOException {
    require(request.incarnation());
    if (behind(request.to()).isPresent()) {
      throw new DoNotRetryIOException(
          IndexAccess.CANNOT_SERVE
              + ": rows before "
              + Bytes.toStringBinary(request.to())
              + " are not all in or before "
              + region);
    }
    Scan scan =
        scan(request.before(), request.everyVersion())
            .setReversed(true)
            .withStartRow(request.to(), false)
            .withStopRow(request.from(), true);
    return page(
        List.of(new Span(request.from(), request.to())),
        request.limit(),
        scan,
        c -> Arrays.copyOf(rowOf(c), c.getRowLength() + 1),
        before(request));
  }

  /**
   * @param scan from the first span to the last one; the scanner skips what is between two
   * @param goOn where to go on if a row no longer fits
   * @param rest where to go on if the region has no more
   */
  private EntryPage page(
      List<Span> spans, int asked, Scan scan, Function<Cell, byte[]> goOn, Optional<byte[]> rest)
      throws IOException {
    List<Entry> entries = new ArrayList<>();
    int limit = Math.max(1, Math.min(asked, MAX_ENTRIES));
    long bytes = 0;
    int span = 0;
    ReadBlocks blocks = new ReadBlocks();
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> row = new ArrayList<>();
      boolean more = true;
      while (more) {
        row.clear();
        more = scanner.next(row, blocks.context());
        span = row.isEmpty() ? span : notBefore(row.get(0), spans, span);
        boolean between =
            !row.isEmpty()
                && (span == spans.size() || isBefore(row.get(0), spans.get(span).from()));
        boolean full = entries.size() >= limit || bytes >= MAX_BYTES;
        if (between) {
          more &= span < spans.size() && scanner.reseek(spans.get(span).from());
        } else if (!row.isEmpty() && full) {
          return new EntryPage(entries, Optional.of(goOn.apply(row.get(0))));
        } else {
          add(row, entries);
          bytes += row.isEmpty() ? 0 : (long) row.size() * row.get(0).getRowLength();
        }
        blocks.letGo(scanner);
      }
    }
    return new EntryPage(entries, rest);
  }

  /** The first span, from one on, that does not end before a row. */
  private static int notBefore(Cell row, List<Span> spans, int from) {
    int span = from;
    while (span < spans.size()
        && spans.get(span).to().length > 0
        && !isBefore(row, spans.get(span).to())) {
      span++;
    }
    return span;
  }

  private static boolean isBefore(Cell row, byte[] key) {
    return Bytes.compareTo(
            row.getRowArray(), row.getRowOffset(), row.getRowLength(), key, 0, key.length)
        < 0;
  }

  private static Scan scan(long before, boolean everyVersion) throws IOException {
    Scan scan = new Scan().addFamily(IndexTable.ENTRIES);
    if (before != Long.MAX_VALUE) {
      scan.setTimeRange(0, before);
    }
    return everyVersion ? scan.readAllVersions() : scan.readVersions(1);
  }

  private static void add(List<Cell> row, List<Entry> entries) throws IOException {
    for (Cell c : row) {
      entries.add(Entry.of(c.getRowArray(), c.getRowOffset(), c.getRowLength(), c.getTimestamp()));
    }
  }

  private static byte[] rowOf(Cell cell) {
    return Bytes.copy(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
  }

  /** Where the next region goes on, if the range does not end in this one. */
  private Optional<byte[]> behind(byte[] to) {
    byte[] end = region.getRegionInfo().getEndKey();
    boolean last = end.length == 0 || to.length > 0 && Bytes.compareTo(to, end) <= 0;
    return last ? Optional.empty() : Optional.of(end);
  }

  /** Where the region before goes on, if the range does not begin in this one. */
  private Optional<byte[]> before(PageRequest request) {
    byte[] start = region.getRegionInfo().getStartKey();
    return Bytes.compareTo(request.from(), start) >= 0 ? Optional.empty() : Optional.of(start);
  }
}
