package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.SearchPage;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verifier of local indexes and of statistics sees what is missing. */
class VerifyIndexesTest {
  private final FakeCluster cluster = new FakeCluster();
  private long told = 70;
  private String fallback = "";

  @BeforeEach
  void fill() {
    int i = 0;
    for (String row : List.of("a", "c", "e", "g", "k", "p", "t", "z")) {
      cluster.put(row, "d:price", Bytes.toBytes((long) 10 * i++));
      cluster.put(row, "d:name", Bytes.toBytes("name of " + row));
    }
    cluster.put("b", "d:price", Bytes.toBytes("not a long"));
    cluster.put("b", "d:name", Bytes.toBytes("name of b"));
    cluster.answers =
        (region, request) ->
            switch (request.kind()) {
              case REPORT -> report(region).encode();
              case SUMMARY -> SummaryAnswer.whole(summary(region)).encode();
              default -> throw new AssertionError(request.kind());
            };
  }

  private RegionPlan report(RegionInfo region) {
    return new RegionPlan(
        region.getEncodedName(),
        "host,16020,1",
        RegionPlan.Path.LOCAL_INDEX,
        "asked for",
        "price",
        List.of(),
        0,
        1,
        0,
        0,
        Optional.of(new RegionPlan.Actual(1, 0, 1, 0, 1, 1, fallback)));
  }

  /** Values from 0 to what is told. */
  private RegionSummary summary(RegionInfo region) {
    ColumnSummary.Builder b = ColumnSummary.builder(ValueType.LONG, BloomSize.OFF);
    for (byte[] value : List.of(Bytes.toBytes(0L), Bytes.toBytes(told), Bytes.toBytes("x"))) {
      b.add(value, 0, value.length);
    }
    TreeMap<ColumnName, ColumnSummary> columns = new TreeMap<>();
    columns.put(ColumnName.parse("d:price"), b.build());
    TreeMap<ColumnName, ColumnSummary> memstore = new TreeMap<>(columns);
    memstore.replaceAll((name, any) -> ColumnSummary.empty(ValueType.LONG, BloomSize.OFF));
    return new RegionSummary(
        region.getEncodedName(),
        region.getStartKey(),
        region.getEndKey(),
        1,
        1,
        "",
        false,
        new TreeSet<>(Bytes.BYTES_COMPARATOR),
        new SourceSummary(false, false, columns),
        new SourceSummary(false, false, memstore));
  }

  private VerifyReport verify(IndexKind kind, boolean repair) throws IOException {
    IndexDefinition price =
        IndexDefinition.builder("price").kind(kind).column("d:price").type(ValueType.LONG).build();
    if (IndexSchema.of(cluster.descriptor).isEmpty()) {
      cluster.descriptor = IndexSchema.withIndex(cluster.descriptor, price);
    }
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      return spyhop.admin().verify(FakeCluster.TABLE, "price", repair);
    }
  }

  @Test
  void aLocalIndexThatFindsAll() throws IOException {
    VerifyReport report = verify(IndexKind.LOCAL, false);
    assertThat(report.result()).as(report.toString()).isEqualTo(VerifyReport.Result.CLEAN);
    assertThat(report.cells()).as("rows with a value").isEqualTo(8);
    assertThat(report.entries()).isEqualTo(8);
  }

  @Test
  void aLocalIndexThatLosesARow() throws IOException {
    cluster.lossyPath = "price";
    cluster.lostRow = "k";
    VerifyReport report = verify(IndexKind.LOCAL, false);
    assertThat(report.result()).isEqualTo(VerifyReport.Result.MISSING);
    assertThat(report.missing()).isEqualTo(1);
    assertThat(report.missingSamples())
        .extracting(e -> Bytes.toString(e.row()))
        .containsExactly("k");
  }

  @Test
  void aLocalIndexThatShowsARowTooMany() throws IOException {
    cluster.lossyPath = "scan";
    cluster.lostRow = "k";
    assertThat(verify(IndexKind.LOCAL, false).missing()).isEqualTo(1);
  }

  @Test
  void aRegionThatScansIsNotVerified() throws IOException {
    fallback = "2 files are not covered";
    VerifyReport report = verify(IndexKind.LOCAL, false);
    assertThat(report.unchecked()).isEqualTo(8);
    assertThat(report.result()).isEqualTo(VerifyReport.Result.UNCHECKED);
    assertThat(report.isClean()).isFalse();
  }

  @Test
  void statisticsThatContainAll() throws IOException {
    VerifyReport report = verify(IndexKind.STATS, false);
    assertThat(report.result()).as(report.toString()).isEqualTo(VerifyReport.Result.CLEAN);
    assertThat(report.cells()).isEqualTo(9);
  }

  @Test
  void statisticsThatLackAValue() throws IOException {
    told = 60;
    VerifyReport report = verify(IndexKind.STATS, false);
    assertThat(report.missing()).isEqualTo(1);
    assertThat(report.missingSamples())
        .extracting(e -> Bytes.toString(e.row()))
        .containsExactly("z");
  }

  @Test
  void statisticsThatNobodyTells() throws IOException {
    cluster.answers = (region, request) -> null;
    VerifyReport report = verify(IndexKind.STATS, false);
    assertThat(report.unchecked()).isEqualTo(9);
    assertThat(report.result()).isEqualTo(VerifyReport.Result.UNCHECKED);
  }

  @Test
  void onlyEntriesAreRepaired() {
    assertThatThrownBy(() -> verify(IndexKind.LOCAL, true))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("index 'price' is LOCAL and has no entries to repair");
  }

  /** Built is what is before "p" when it begins, and before "c" when the page has come. */
  @Test
  void whatIsNotBuiltIsNotMissing() throws IOException {
    Deque<String> builtUpTo = new ArrayDeque<>(List.of("require", "p", "c"));
    cluster.calls =
        (table, row, question, payload) ->
            switch (question) {
              case BUILT -> {
                String end = builtUpTo.size() > 1 ? builtUpTo.poll() : builtUpTo.peek();
                yield new BuiltRanges(
                        List.of(new BuiltRanges.Range(new byte[0], Bytes.toBytes(end))))
                    .encode();
              }
              case MISSING ->
                  new VerifyPage(8, List.of(entry("a"), entry("k"), entry("z")), Optional.empty())
                      .encode();
              case SEARCH ->
                  new SearchPage(
                          new BuiltRanges(List.of()), new EntryPage(List.of(), Optional.empty()))
                      .encode();
              default -> throw new AssertionError(question);
            };
    VerifyReport report = verify(IndexKind.GLOBAL, false);
    assertThat(report.missing()).isEqualTo(1);
    assertThat(report.missingSamples()).containsExactly(entry("a"));
    assertThat(report.unchecked()).isEqualTo(2);
    builtUpTo.clear();
    builtUpTo.add("a");
    assertThat(verify(IndexKind.GLOBAL, false).result()).isEqualTo(VerifyReport.Result.UNCHECKED);
  }

  private static Entry entry(String row) {
    return new Entry(Bytes.toBytes(7L), Bytes.toBytes(row), 1);
  }
}
