package io.spyhop.bench.pruning;

import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.client.internal.prune.DigestCalls;
import io.spyhop.client.internal.prune.SummaryCalls;
import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.core.stats.SummaryChange;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Answers in the place of very many regions, with the bytes that go over the wire. Of a region
 * nothing is kept but how many writes changed it: what it says is made when it is asked. Each value
 * is in one region; values are even numbers. Not thread-safe, but for its calls.
 */
final class SimulatedRegions implements SummaryCalls, DigestCalls {
  static final TableName TABLE = TableName.valueOf("simulated");
  static final String FAMILY = "d";

  private static final int VALUES = 30;
  private static final int DIGITS = 4;

  /** Values are below twice this. */
  static final int OTHER = 1 << 20;

  private static final long SEED = 71;

  private final int regions;
  private final int servers;
  private final List<ColumnName> columns;
  private final BloomSize bloom;
  private final int[] versions;

  /** By server: the regions that changed after each version of its digest. */
  private final List<List<BitSet>> changes = new ArrayList<>();

  private final LongAdder bytes = new LongAdder();

  SimulatedRegions(int regions, int servers, int columns, BloomSize bloom) {
    this.regions = regions;
    this.servers = servers;
    this.columns =
        IntStream.range(0, columns).mapToObj(c -> ColumnName.parse(FAMILY + ":c" + c)).toList();
    this.bloom = bloom;
    this.versions = new int[regions];
    IntStream.range(0, servers).forEach(s -> changes.add(new ArrayList<>()));
  }

  List<ColumnName> columns() {
    return columns;
  }

  /** Bytes of questions and answers so far. */
  long bytes() {
    return bytes.sum();
  }

  /** All regions, in turns on the servers. */
  List<HRegionLocation> locations() {
    return IntStream.range(0, regions).mapToObj(this::location).toList();
  }

  private HRegionLocation location(int region) {
    RegionInfo info =
        RegionInfoBuilder.newBuilder(TABLE)
            .setStartKey(key(region))
            .setEndKey(region + 1 == regions ? new byte[0] : key(region + 1))
            .setRegionId(1)
            .build();
    return new HRegionLocation(
        info, ServerName.valueOf("server" + region % servers + ".example.org", 16020, 1));
  }

  private static byte[] key(int region) {
    return region == 0 ? new byte[0] : Bytes.toBytes(String.format("user%08d", region));
  }

  private static int region(HRegionLocation location) {
    byte[] key = location.getRegion().getStartKey();
    return key.length == 0 ? 0 : Integer.parseInt(Bytes.toString(key).substring(DIGITS));
  }

  /** A write that changes a region's statistics. */
  void write(int region) {
    versions[region]++;
    BitSet changed = new BitSet();
    changed.set(region);
    changes.get(region % servers).add(changed);
  }

  @Override
  public List<RegionAnswer<SummaryAnswer>> ask(
      List<HRegionLocation> asked, Function<HRegionLocation, SummaryRequest> have) {
    return asked.stream().map(r -> answer(r, have.apply(r))).toList();
  }

  private RegionAnswer<SummaryAnswer> answer(HRegionLocation location, SummaryRequest request) {
    int region = region(location);
    SummaryAnswer answer =
        request.epoch() == epoch(region)
            ? SummaryAnswer.changes(
                request.epoch(),
                request.version(),
                Collections.nCopies(
                    (int) (versions[region] - request.version()),
                    SummaryChange.value(columns.get(0), keyOf(OTHER * 2L))))
            : SummaryAnswer.whole(summary(location, region));
    byte[] wire = answer.encode();
    bytes.add(request.toRegionRequest().payload().length + (long) wire.length);
    try {
      return new RegionAnswer<>(location, Optional.of(SummaryAnswer.decode(wire)), "");
    } catch (CorruptFrameException e) {
      throw new IllegalStateException("an answer cannot be read that was just written", e);
    }
  }

  private static byte[] keyOf(long value) {
    return ValueType.LONG.codec().operand(value).key().bytes();
  }

  private static long epoch(int region) {
    return new SplittableRandom(region + 1L).nextLong() | 1;
  }

  private RegionSummary summary(HRegionLocation location, int region) {
    SplittableRandom random = new SplittableRandom(SEED + region);
    SortedMap<ColumnName, ColumnSummary> files = new TreeMap<>();
    SortedMap<ColumnName, ColumnSummary> memstore = new TreeMap<>();
    for (ColumnName column : columns) {
      ColumnSummary.Builder values = ColumnSummary.builder(ValueType.LONG, bloom);
      for (int i = 0; i < VALUES; i++) {
        values.add(Bytes.toBytes(2L * random.nextInt(OTHER)), 0, Long.BYTES);
      }
      files.put(column, values.build());
      memstore.put(column, ColumnSummary.empty(ValueType.LONG, bloom));
    }
    return new RegionSummary(
        location.getRegion().getEncodedName(),
        location.getRegion().getStartKey(),
        location.getRegion().getEndKey(),
        epoch(region),
        versions[region],
        "",
        true,
        Collections.emptySortedSet(),
        new SourceSummary(false, false, files),
        new SourceSummary(false, false, memstore));
  }

  @Override
  public Optional<DigestAnswer> ask(HRegionLocation location, DigestRequest request) {
    int server = region(location) % servers;
    List<BitSet> log = changes.get(server);
    BitSet told = new BitSet();
    boolean all = request.life() == DigestRequest.NOTHING;
    if (all) {
      for (int r = server; r < regions; r += servers) {
        told.set(r);
      }
    } else {
      log.subList((int) request.version(), log.size()).forEach(told::or);
    }
    byte[] wire =
        new DigestAnswer(
                1,
                log.size(),
                all,
                told.stream().mapToLong(r -> name(r)).toArray(),
                told.stream().mapToLong(r -> DigestAnswer.state(epoch(r), versions[r])).toArray())
            .encode();
    bytes.add(request.encode().length + (long) wire.length);
    try {
      return DigestAnswer.decode(wire);
    } catch (CorruptFrameException e) {
      throw new IllegalStateException("a digest cannot be read that was just written", e);
    }
  }

  private long name(int region) {
    return DigestAnswer.region(location(region).getRegion().getEncodedName());
  }
}
