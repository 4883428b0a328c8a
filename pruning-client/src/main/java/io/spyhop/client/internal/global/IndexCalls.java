package io.spyhop.client.internal.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryBatch;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.SearchPage;
import io.spyhop.core.protocol.SearchRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Questions to the regions of a global index, and hints to those of its base table. HBase repeats a
 * call that fails for as long as the connection's settings say. Thread-safe.
 */
public final class IndexCalls {
  /** Where it is noted how far an index is. */
  private static final byte[] NOTES = {0x00};

  /** So many greatest bytes are behind whatever a row goes on with. */
  private static final int GREAT = 9;

  private final Connection connection;
  private final TableName base;

  /** Calls through a connection, which stays the caller's. */
  public IndexCalls(Connection connection, TableName base) {
    this.connection = connection;
    this.base = base;
  }

  /**
   * Which rows of the base table the index has now. The answer is not to be kept: it ends when a
   * region of the base table closes, which may open next where nobody adds entries.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the index has no table
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the table is that of another
   *     incarnation, or the caller may not know
   */
  public BuiltRanges built(IndexDefinition index) throws IOException {
    return BuiltRanges.decode(ask(tableOf(index), NOTES, Question.BUILT, incarnation(index)));
  }

  /**
   * Entries of the region that has the request's first row, and the rows of which these are all
   * that match; throws as {@link #built} does.
   */
  SearchPage search(IndexDefinition index, SearchRequest request) throws IOException {
    byte[] first = request.spans().get(0).from();
    try {
      return SearchPage.decode(ask(tableOf(index), first, Question.SEARCH, request.encode()));
    } catch (IOException e) {
      if (!Refusals.text(e).contains(ServerCalls.UNKNOWN_QUESTION)) {
        throw e;
      }
      return searchOfEarlier(index, request);
    }
  }

  /** An earlier server reads one span a call. What is built is to be known before it does. */
  private SearchPage searchOfEarlier(IndexDefinition index, SearchRequest request)
      throws IOException {
    BuiltRanges built = built(index);
    PageRequest first = request.first();
    EntryPage page =
        EntryPage.decode(ask(tableOf(index), first.from(), Question.ENTRIES, first.encode()));
    boolean goesOn = page.next().isEmpty() && request.spans().size() > 1;
    return new SearchPage(
        built,
        goesOn ? new EntryPage(page.entries(), Optional.of(request.spans().get(1).from())) : page);
  }

  /** Where the region of a row of the index table ends, as far as it is known; empty is nowhere. */
  byte[] regionEnd(IndexDefinition index, byte[] row) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(tableOf(index))) {
      return locator.getRegionLocation(row).getRegion().getEndKey();
    }
  }

  /**
   * The last entries of a range, of the region that has the row before its end; throws the same.
   */
  EntryPage pageBackwards(IndexDefinition index, PageRequest request) throws IOException {
    byte[] last = before(request.to());
    return EntryPage.decode(
        ask(tableOf(index), last, Question.ENTRIES_BACKWARDS, request.encode()));
  }

  /** A row before another one, and none of a table in between but by chance; empty is the end. */
  private static byte[] before(byte[] row) {
    int last = row.length - 1;
    if (last >= 0 && row[last] == 0) {
      return Arrays.copyOf(row, last);
    }
    byte[] before = Arrays.copyOf(row, row.length + GREAT);
    Arrays.fill(before, row.length, before.length, (byte) 0xff);
    if (last >= 0) {
      before[last]--;
    }
    return before;
  }

  /** A ticket of the base table's region of a row; throws if clients may not write entries. */
  EntryTicket ticket(IndexDefinition index, byte[] row) throws IOException {
    return EntryTicket.decode(ask(base, row, Question.TICKET, incarnation(index)));
  }

  /**
   * Writes an entry.
   *
   * @return false if the index table's region is not where it was
   */
  boolean enter(IndexDefinition index, Entry entry) throws IOException {
    byte[] batch = EntryBatch.encode(List.of(entry.put(false)));
    byte[] answer = ask(tableOf(index), entry.indexRow(), Question.ENTER, batch);
    return EntryBatch.decodeAnswer(answer).isEmpty();
  }

  private static byte[] incarnation(IndexDefinition index) {
    return Long.toString(index.incarnation()).getBytes(StandardCharsets.US_ASCII);
  }

  private TableName tableOf(IndexDefinition index) {
    return IndexTable.nameOf(base, index.name());
  }

  private byte[] ask(TableName table, byte[] row, Question question, byte[] payload)
      throws IOException {
    try (Table t = connection.getTable(table)) {
      return ServerCalls.ask(t.coprocessorService(row), question, payload);
    }
  }

  /** Tells the base table's regions of entries that nothing seems to be behind. */
  void repair(IndexDefinition index, List<Entry> entries) throws IOException {
    List<Entry> sound = entries.stream().filter(Entry::isSound).toList();
    for (List<Entry> ofRegion : byRegion(sound).values()) {
      EntryList list = new EntryList(index.name(), index.incarnation(), ofRegion);
      for (EntryList part : list.parts()) {
        ask(base, ofRegion.get(0).row(), Question.REPAIR, part.encode());
      }
    }
  }

  /** Has the base table's region of a row look for entries that are missing. */
  VerifyPage missing(VerifyRequest request) throws IOException {
    return VerifyPage.decode(ask(base, request.from(), Question.MISSING, request.encode()));
  }

  /**
   * Has the base table's regions look at entries.
   *
   * @param request what to ask a region about those of its rows
   */
  List<VerifyPage> dangling(List<Entry> entries, Function<List<Entry>, VerifyRequest> request)
      throws IOException {
    List<VerifyPage> pages = new ArrayList<>();
    for (List<Entry> ofRegion : byRegion(entries).values()) {
      byte[] asked = request.apply(ofRegion).encode();
      pages.add(VerifyPage.decode(ask(base, ofRegion.get(0).row(), Question.DANGLING, asked)));
    }
    return pages;
  }

  /** Has the base table's regions looked up again. */
  void forgetRegions() throws IOException {
    forgetRegions(base);
  }

  /** Has the index table's regions looked up again. */
  public void forgetRegions(IndexDefinition index) throws IOException {
    forgetRegions(tableOf(index));
  }

  private void forgetRegions(TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
    }
  }

  private Map<byte[], List<Entry>> byRegion(List<Entry> entries) throws IOException {
    Map<byte[], List<Entry>> byStart = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    try (RegionLocator locator = connection.getRegionLocator(base)) {
      for (Entry e : entries) {
        byte[] start = locator.getRegionLocation(e.row()).getRegion().getStartKey();
        byStart.computeIfAbsent(start, s -> new ArrayList<>()).add(e);
      }
    }
    return byStart;
  }
}
