package io.spyhop.server.index.stats;

import static org.awaitility.Awaitility.await;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.prune.Decision;
import io.spyhop.core.prune.Pruner;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.DescriptorChange;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.stats.ColumnUse;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with family {@code f} and statistics of the columns {@code a} and {@code b}, both LONG,
 * asked as a client asks.
 */
final class StatisticsTable implements AutoCloseable {
  static final byte[] F = Bytes.toBytes("f");

  private static final AtomicInteger TABLES = new AtomicInteger();

  private final TestCluster cluster;
  private final TableName name;
  private final Table table;

  StatisticsTable() throws IOException {
    this(TestCluster.get(), f -> f, t -> t);
  }

  StatisticsTable(
      TestCluster cluster,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      UnaryOperator<TableDescriptorBuilder> options,
      String... splits)
      throws IOException {
    this(cluster, family, options, true, splits);
  }

  StatisticsTable(
      TestCluster cluster,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      UnaryOperator<TableDescriptorBuilder> options,
      boolean declared,
      String... splits)
      throws IOException {
    this.cluster = cluster;
    this.name = TableName.valueOf("statistics" + TABLES.incrementAndGet());
    TableDescriptor d =
        options
            .apply(
                TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(
                        family.apply(ColumnFamilyDescriptorBuilder.newBuilder(F)).build()))
            .build();
    if (declared) {
      d = IndexSchema.withIndex(d, definition("a", BloomSize.DEFAULT));
      d = IndexSchema.withIndex(d, definition("b", BloomSize.OFF));
    }
    cluster
        .admin()
        .createTable(d, Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new));
    this.table = cluster.connection().getTable(name);
  }

  static IndexDefinition definition(String column, BloomSize bloom) {
    return IndexDefinition.builder(column)
        .kind(IndexKind.STATS)
        .column("f:" + column)
        .type(ValueType.LONG)
        .bloom(bloom)
        .build();
  }

  /** Declares statistics of a column, or takes the declaration back. */
  void change(UnaryOperator<TableDescriptor> change) throws IOException {
    DescriptorChange.apply(cluster.admin(), name, change::apply);
    for (byte[] start : startKeys()) {
      ask(start, RegionRequest.of(RegionRequest.Kind.REFRESH).encode());
    }
  }

  TableName name() {
    return name;
  }

  Table table() {
    return table;
  }

  HRegion region() {
    return cluster.regions(name).get(0);
  }

  static Put put(String row) {
    return new Put(Bytes.toBytes(row));
  }

  static Put put(String row, String column, long value) {
    return put(row).addColumn(F, Bytes.toBytes(column), Bytes.toBytes(value));
  }

  void write(String row, long a, long b) throws IOException {
    table.put(put(row, "a", a).addColumn(F, Bytes.toBytes("b"), Bytes.toBytes(b)));
  }

  void write(String row, String column, long value) throws IOException {
    table.put(put(row, column, value));
  }

  void flush() throws IOException {
    Regions.flush(cluster, name);
  }

  private List<byte[]> startKeys() throws IOException {
    List<byte[]> keys = new ArrayList<>();
    cluster.admin().getRegions(name).forEach(r -> keys.add(r.getStartKey()));
    return keys;
  }

  private Result ask(byte[] start, byte[] request) throws IOException {
    org.apache.hadoop.hbase.client.Get get =
        new org.apache.hadoop.hbase.client.Get(start.length == 0 ? new byte[] {0} : start);
    get.setAttribute(Attributes.REQUEST, request);
    return table.get(get);
  }

  /** What the region of a row answers. */
  SummaryAnswer ask(String row, SummaryRequest request) throws IOException {
    Result r = ask(Bytes.toBytes(row), request.toRegionRequest().encode());
    return SummaryAnswer.decode(r.value());
  }

  /** What the server of the only region's regions answers. */
  DigestAnswer digest(DigestRequest request) throws IOException {
    org.apache.hadoop.hbase.client.Get get =
        SummaryRequest.first().toRegionRequest().toGet(new byte[0]);
    get.setAttribute(Attributes.DIGEST, request.encode());
    return DigestAnswer.decode(table.get(get).value()).orElseThrow();
  }

  /** The request of who has that summary. */
  static SummaryRequest since(RegionSummary summary) {
    return new SummaryRequest(summary.epoch(), summary.version());
  }

  /** What is known after the answer to it. */
  static RegionSummary after(RegionSummary summary, SummaryAnswer answer) {
    if (answer.whole().isPresent()) {
      return answer.whole().get();
    }
    if (!answer.follows(summary.epoch(), summary.version())) {
      throw new AssertionError(answer + " does not follow " + summary);
    }
    return summary.after(answer.changes());
  }

  /** What is said of each region now. */
  List<RegionSummary> summaries() throws IOException {
    List<RegionSummary> all = new ArrayList<>();
    for (byte[] start : startKeys()) {
      Result r = ask(start, SummaryRequest.first().toRegionRequest().encode());
      all.add(SummaryAnswer.decode(r.value()).whole().orElseThrow());
    }
    return all;
  }

  RegionSummary summary() throws IOException {
    return summaries().get(0);
  }

  void awaitKnown() {
    awaitKnown(2);
  }

  void awaitKnown(int columns) {
    await("the statistics of " + name + " to be known")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .ignoreExceptions()
        .until(
            () ->
                summaries().stream()
                    .allMatch(s -> s.isKnown() && s.union().columns().size() == columns));
  }

  BoundPredicate bind(Predicate predicate) {
    IndexSchema schema =
        IndexSchema.of(
            List.of(definition("a", BloomSize.DEFAULT), definition("b", BloomSize.DEFAULT)));
    return Binder.bind(
        predicate, new SchemaResolver(name.getNameAsString(), schema, List.of("f", "g")));
  }

  Decision decide(Predicate predicate, RegionSummary summary) {
    return Pruner.decide(
        bind(predicate),
        List.of(F),
        CompactSummary.of(summary, c -> c, c -> ColumnUse.POINTS, Long.MAX_VALUE));
  }

  /** What a query would do with the only region; if that is nothing, no row matches. */
  ScanState decide(Predicate predicate) throws IOException {
    ScanState state = decide(predicate, summary()).state();
    if (state == ScanState.NR && !rows(predicate).isEmpty()) {
      throw new AssertionError(predicate + " is pruned, but finds " + rows(predicate));
    }
    return state;
  }

  /** The plain filtered scan's rows. */
  List<String> rows(Predicate predicate) throws IOException {
    return rows(predicate, Attributes.PATH_SCAN);
  }

  /** The rows along a path. */
  List<String> rows(Predicate predicate, String path) throws IOException {
    Scan scan = new Scan().setFilter(new PredicateFilter(bind(predicate)));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    return rows(scan);
  }

  List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result r : scanner) {
        rows.add(Bytes.toString(r.getRow()));
      }
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    table.close();
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
  }
}
