package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

/**
 * Answers in the place of regions: one column {@code d:n} of longs, whose values tests write. The
 * layout that clients see ({@link #listed}) and the one that answers ({@link #served}) may differ,
 * as they do after splits and mergers.
 */
final class FakeRegions implements SummaryCalls {
  static final TableName TABLE = TableName.valueOf("t");
  static final ColumnName COLUMN = ColumnName.parse("d:n");
  static final IndexSchema SCHEMA =
      IndexSchema.of(
          List.of(IndexDefinition.builder("n").column("d:n").type(ValueType.LONG).build()));
  private static final ServerName SERVER = ServerName.valueOf("host", 1, 1);
  private static final Map<String, Long> EPOCHS = new ConcurrentHashMap<>();

  /** Values by start key of the region that serves them. */
  final NavigableMap<String, List<Long>> served =
      Collections.synchronizedNavigableMap(new TreeMap<>());

  /** The table. */
  final NavigableMap<String, Long> rows = Collections.synchronizedNavigableMap(new TreeMap<>());

  /** The ranges that were scanned. */
  final Queue<RowRange> scanned = new ConcurrentLinkedQueue<>();

  volatile List<String> listed = List.of();
  final AtomicInteger asked = new AtomicInteger();

  /** What the regions were asked, by start key. */
  final Map<String, SummaryRequest> requests = Collections.synchronizedMap(new TreeMap<>());

  /** How many digests were asked for. */
  final AtomicInteger digests = new AtomicInteger();

  /** Whether servers know none. */
  volatile boolean withoutDigests;

  private final Map<ServerName, List<SortedMap<Long, Long>>> told = new ConcurrentHashMap<>();

  /** Runs when a request has arrived and is answered, before the answer arrives. */
  volatile Runnable onTheWayBack = () -> {};

  /** Start keys of regions that give no answer. */
  volatile List<String> silent = List.of();

  /** Regions whose call does not return before the latch is open, by start key. */
  final Map<String, CountDownLatch> hanging = new ConcurrentHashMap<>();

  /** Regions that are not on the first server, by start key. */
  final Map<String, ServerName> servers = new ConcurrentHashMap<>();

  FakeRegions(String... starts) {
    listed = List.of(starts);
    for (String start : starts) {
      served.put(start, new ArrayList<>());
    }
  }

  void write(String row, long value) {
    synchronized (served) {
      rows.put(row, value);
      served.floorEntry(row).getValue().add(value);
    }
  }

  static BoundPredicate bind(Predicate predicate) {
    return Binder.bind(predicate, new SchemaResolver("t", SCHEMA, List.of("d")));
  }

  List<HRegionLocation> locations() {
    List<HRegionLocation> locations = new ArrayList<>();
    List<String> starts = listed;
    for (int i = 0; i < starts.size(); i++) {
      String end = i + 1 < starts.size() ? starts.get(i + 1) : "";
      RegionInfo region =
          RegionInfoBuilder.newBuilder(TABLE)
              .setStartKey(Bytes.toBytes(starts.get(i)))
              .setEndKey(Bytes.toBytes(end))
              .setRegionId(1)
              .build();
      ServerName server = servers.getOrDefault(starts.get(i), SERVER);
      locations.add(new HRegionLocation(region, server));
    }
    return locations;
  }

  @Override
  public List<RegionAnswer<SummaryAnswer>> ask(
      List<HRegionLocation> regions, Function<HRegionLocation, SummaryRequest> have)
      throws IOException {
    List<RegionAnswer<SummaryAnswer>> answers = new ArrayList<>();
    for (HRegionLocation region : regions) {
      asked.incrementAndGet();
      String start = Bytes.toString(region.getRegion().getStartKey());
      requests.put(start, have.apply(region));
      if (hanging.containsKey(start)) {
        Uninterruptibles.awaitUninterruptibly(hanging.get(start));
      }
      Optional<SummaryAnswer> answer =
          silent.contains(start)
              ? Optional.empty()
              : Optional.of(SummaryAnswer.whole(summary(start)));
      answers.add(new RegionAnswer<>(region, answer, answer.isPresent() ? "" : "silent"));
    }
    onTheWayBack.run();
    return answers;
  }

  /** The digest of the regions that a region's server has. */
  Optional<DigestAnswer> digest(HRegionLocation region, DigestRequest request) {
    digests.incrementAndGet();
    if (withoutDigests) {
      return Optional.empty();
    }
    ServerName server = region.getServerName();
    SortedMap<Long, Long> now = new TreeMap<>();
    for (String start : List.copyOf(served.keySet())) {
      if (servers.getOrDefault(start, SERVER).equals(server)) {
        RegionSummary s = summary(start);
        now.put(DigestAnswer.region(s.region()), DigestAnswer.state(s.epoch(), s.version()));
      }
    }
    onTheWayBack.run();
    List<SortedMap<Long, Long>> told =
        this.told.computeIfAbsent(server, s -> Collections.synchronizedList(new ArrayList<>()));
    boolean all =
        request.life() != server.hashCode()
            || !told.get((int) request.version()).keySet().equals(now.keySet());
    SortedMap<Long, Long> changed = new TreeMap<>(now);
    if (!all) {
      changed.entrySet().removeAll(told.get((int) request.version()).entrySet());
    }
    told.add(now);
    return Optional.of(
        new DigestAnswer(
            server.hashCode(),
            told.size() - 1,
            all,
            changed.keySet().stream().mapToLong(Long::longValue).toArray(),
            changed.values().stream().mapToLong(Long::longValue).toArray()));
  }

  /** The rows of a range with values in bounds. */
  RowSource scan(RowRange range, long from, long to) {
    scanned.add(range);
    List<Result> found = new ArrayList<>();
    synchronized (served) {
      rows.forEach(
          (row, value) -> {
            if (range.contains(Bytes.toBytes(row)) && value >= from && value <= to) {
              found.add(result(row, value));
            }
          });
    }
    Iterator<Result> each = found.iterator();
    return new RowSource() {
      @Override
      public Result next() {
        return each.hasNext() ? each.next() : null;
      }

      @Override
      public void close() {
        // Nothing is held.
      }
    };
  }

  private static Result result(String row, long value) {
    return Result.create(
        List.of(
            new KeyValue(
                Bytes.toBytes(row),
                COLUMN.family(),
                COLUMN.qualifier(),
                1L,
                Bytes.toBytes(value))));
  }

  private RegionSummary summary(String row) {
    synchronized (served) {
      Map.Entry<String, List<Long>> region = served.floorEntry(row);
      String end = Optional.ofNullable(served.higherKey(region.getKey())).orElse("");
      return summary(region.getKey(), end, region.getValue());
    }
  }

  static RegionSummary summary(String start, String end, List<Long> values) {
    ColumnSummary.Builder column = ColumnSummary.builder(ValueType.LONG, BloomSize.OFF);
    values.forEach(v -> column.add(Bytes.toBytes(v), 0, Long.BYTES));
    TreeMap<ColumnName, ColumnSummary> columns = new TreeMap<>(Map.of(COLUMN, column.build()));
    TreeMap<ColumnName, ColumnSummary> none =
        new TreeMap<>(Map.of(COLUMN, ColumnSummary.empty(ValueType.LONG, BloomSize.OFF)));
    return new RegionSummary(
        "region-" + start,
        Bytes.toBytes(start),
        Bytes.toBytes(end),
        EPOCHS.computeIfAbsent(start + "/" + end, r -> (long) r.hashCode() << 32 | 1),
        values.size(),
        "",
        true,
        new TreeSet<>(Bytes.BYTES_COMPARATOR),
        new SourceSummary(false, false, none),
        new SourceSummary(false, false, columns));
  }

  static RowRange range(String start, String stop) {
    return new RowRange(Bytes.toBytes(start), Bytes.toBytes(stop));
  }
}
