package io.spyhop.client.internal.global;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.global.GlobalSearch.Found;
import io.spyhop.client.internal.global.GlobalSearch.Outcome;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.SearchPage;
import io.spyhop.core.protocol.SearchRequest;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Index tables with regions at the values 10 and 20, whose entries and notes the test says. */
class GlobalSearchTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final IndexSchema SCHEMA = IndexSchema.of(List.of(index("a"), index("b")));
  private static final byte[] END = {};

  /** Costs a Get like so many entries that a second index is always read. */
  private static final Map<String, Long> DEAR_ROWS =
      Map.of("cell", 1_000_000L, "get", 1_000_000L, "entry", 1L, "call", 0L);

  /** By index: rows of the index table, each with the timestamp 1. */
  private final Map<String, NavigableMap<byte[], Entry>> entries = new TreeMap<>();

  private final Map<String, BuiltRanges> built = new TreeMap<>();
  private final Queue<SearchRequest> asked = new ConcurrentLinkedQueue<>();
  private final ScanPool pool = new ScanPool(4, 100);

  @AfterEach
  void close() {
    pool.close();
  }

  private static IndexDefinition index(String column) {
    return IndexDefinition.builder(column)
        .kind(IndexKind.GLOBAL)
        .column("f:" + column)
        .type(ValueType.LONG)
        .build();
  }

  private static byte[] key(long value) {
    return ValueType.LONG.codec().operand(value).key().bytes();
  }

  private void enter(String index, long value, String... rows) {
    built.putIfAbsent(index, new BuiltRanges(List.of(new BuiltRanges.Range(END, END))));
    for (String row : rows) {
      Entry entry = new Entry(key(value), Bytes.toBytes(row), 1);
      entries
          .computeIfAbsent(index, i -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
          .put(entry.indexRow(), entry);
    }
  }

  private byte[] answer(TableName table, byte[] row, SearchRequest request) {
    asked.add(request);
    assertThat(request.spans().get(0).from()).isEqualTo(row);
    String index = IndexTable.indexOf(table);
    byte[] end = regionEnd(row);
    List<Entry> page = new ArrayList<>();
    for (Span span : request.spans()) {
      for (Map.Entry<byte[], Entry> e : entries.get(index).tailMap(span.from()).entrySet()) {
        if (Bytes.compareTo(e.getKey(), span.to()) >= 0
            || end.length > 0 && Bytes.compareTo(e.getKey(), end) >= 0) {
          break;
        }
        if (page.size() == request.limit()) {
          return new SearchPage(built.get(index), new EntryPage(page, Optional.of(e.getKey())))
              .encode();
        }
        page.add(e.getValue());
      }
    }
    byte[] last = request.spans().get(request.spans().size() - 1).to();
    boolean whole = end.length == 0 || Bytes.compareTo(last, end) <= 0;
    return new SearchPage(
            built.get(index), new EntryPage(page, whole ? Optional.empty() : Optional.of(end)))
        .encode();
  }

  private static byte[] regionEnd(byte[] row) {
    return Bytes.compareTo(row, key(10)) < 0
        ? key(10)
        : Bytes.compareTo(row, key(20)) < 0 ? key(20) : END;
  }

  private static <T> T fake(Class<T> type, Map<String, InvocationHandler> methods) {
    InvocationHandler calls =
        (p, m, a) -> m.getName().equals("close") ? null : methods.get(m.getName()).invoke(p, m, a);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  private Connection connection() {
    return fake(
        Connection.class,
        Map.of(
            "getTable", (p, m, a) -> table((TableName) a[0]),
            "getRegionLocator", (p, m, a) -> locator((TableName) a[0])));
  }

  private static RegionLocator locator(TableName table) {
    return fake(
        RegionLocator.class,
        Map.of(
            "getRegionLocation",
            (p, m, a) ->
                new HRegionLocation(
                    RegionInfoBuilder.newBuilder(table).setEndKey(regionEnd((byte[]) a[0])).build(),
                    ServerName.valueOf("host", 16020, 1))));
  }

  private Table table(TableName table) {
    return fake(
        Table.class, Map.of("coprocessorService", (p, m, a) -> channel(table, (byte[]) a[0])));
  }

  private CoprocessorRpcChannel channel(TableName table, byte[] row) {
    Service service =
        ServerCalls.service(
            EnumSet.of(Question.Place.INDEX_REGION),
            (question, payload, protocol) -> answer(table, row, SearchRequest.decode(payload)),
            (controller, e) -> {
              throw new AssertionError(e);
            });
    return fake(
        CoprocessorRpcChannel.class,
        Map.of(
            "callBlockingMethod",
            (p, m, a) -> {
              AtomicReference<Object> answer = new AtomicReference<>();
              service.callMethod((MethodDescriptor) a[0], null, (Message) a[2], answer::set);
              return answer.get();
            }));
  }

  private Found search(Predicate predicate, RowRange rows, long limit) throws IOException {
    Configuration conf = new Configuration(false);
    DEAR_ROWS.forEach((name, nanos) -> conf.setLong(EntryCosts.PREFIX + name, nanos));
    IndexCalls calls = new IndexCalls(connection(), TABLE);
    GlobalSearch search = new GlobalSearch(calls, new IndexAttempts(calls, pool), pool, conf);
    EntryQuery query =
        new EntryQuery(
            Binder.bind(predicate, new SchemaResolver("t", SCHEMA, List.of("f"))),
            SCHEMA,
            "auto",
            RowRanges.of(rows),
            limit,
            5_000);
    Outcome outcome = search.search(query, manyCells());
    assertThat(outcome.reason()).isEmpty();
    return outcome.found().orElseThrow();
  }

  private static PlainCost manyCells() {
    return new PlainCost() {
      @Override
      public boolean isQuicklyAsked(RowRange range) {
        return false;
      }

      @Override
      public OptionalDouble cells(RowRange range) {
        return OptionalDouble.of(1e9);
      }
    };
  }

  private static List<String> keys(Found found, int most) throws IOException {
    List<String> keys = new ArrayList<>();
    byte[] key = found.keys().next();
    while (key != null) {
      keys.add(Bytes.toString(key));
      key = keys.size() < most ? found.keys().next() : null;
    }
    return keys;
  }

  @Test
  void oneValueIsOneCall() throws IOException {
    enter("a", 5, "k", "m");
    enter("a", 6, "l");
    Found found = search(Predicates.column("a").eq(5L), RowRange.ALL, EntryQuery.ALL);
    assertThat(keys(found, 9)).containsExactly("k", "m");
    assertThat(asked).hasSize(1);
  }

  @Test
  void aListIsOneCallForEachRegion() throws IOException {
    for (long value = 0; value < 30; value++) {
      enter("a", value, "r%02d".formatted(value));
    }
    Object[] listed = {1L, 2L, 9L, 10L, 11L, 25L, 99L};
    Found found = search(Predicates.column("a").in(listed), RowRange.ALL, EntryQuery.ALL);
    assertThat(keys(found, 9)).containsExactly("r01", "r02", "r09", "r10", "r11", "r25");
    assertThat(asked).extracting(r -> r.spans().size()).containsExactlyInAnyOrder(2, 3, 2);
  }

  @Test
  void entriesOfRowsThatAreNotAskedForAreNotRead() throws IOException {
    enter("a", 5, "b", "k", "m", "z");
    RowRange rows = new RowRange(Bytes.toBytes("c"), Bytes.toBytes("m"));
    Found found = search(Predicates.column("a").eq(5L), rows, EntryQuery.ALL);
    assertThat(keys(found, 9)).containsExactly("k");
    assertThat(found.entries()).isEqualTo(1);
  }

  /** The second index has no entries of rows from n on, where it is being built. */
  @Test
  void aSecondIndexLeavesOutRowsButNotThoseThatItMayLack() throws IOException {
    enter("a", 5, "k", "l", "m", "n", "o");
    enter("b", 7, "c", "l");
    built.put("b", new BuiltRanges(List.of(new BuiltRanges.Range(END, Bytes.toBytes("n")))));
    Predicate both = Predicates.column("a").eq(5L).and(Predicates.column("b").eq(7L));
    Found found = search(both, RowRange.ALL, EntryQuery.ALL);
    assertThat(keys(found, 9)).containsExactly("l", "n", "o");
    assertThat(found.rest().isEmpty()).isTrue();
  }

  @Test
  void rowsThatTheOnlyIndexMayLackAreTheRest() throws IOException {
    enter("a", 5, "k", "o");
    built.put("a", new BuiltRanges(List.of(new BuiltRanges.Range(END, Bytes.toBytes("n")))));
    Found found = search(Predicates.column("a").eq(5L), RowRange.ALL, EntryQuery.ALL);
    assertThat(keys(found, 9)).containsExactly("k");
    assertThat(found.rest()).isEqualTo(RowRanges.of(new RowRange(Bytes.toBytes("n"), END)));
  }

  @Test
  void withALimitEntriesAreReadWhenTheirRowsAreWanted() throws IOException {
    String[] rows = IntStream.range(0, 500).mapToObj("r%03d"::formatted).toArray(String[]::new);
    enter("a", 5, rows);
    Found found = search(Predicates.column("a").eq(5L), RowRange.ALL, 10);
    assertThat(keys(found, 10)).containsExactly(Arrays.copyOf(rows, 10));
    assertThat(asked).hasSize(1);
    assertThat(asked.element().limit()).isLessThan(15);
    assertThat(keys(found, 1_000)).containsExactly(Arrays.copyOfRange(rows, 10, rows.length));
    assertThat(asked.size()).isBetween(3, 10);
  }
}
