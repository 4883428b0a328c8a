package io.spyhop.server.hook;

import static io.spyhop.server.testing.IndexedTableFixture.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.trace.Work;
import io.spyhop.server.hook.RepairedTable.Options;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Traces show of queries, writes and repairs names and counts, and no value or row key. */
class TracesTest {
  private static final long SECRET = 7_070_707_070_707L;

  @RegisterExtension
  private static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

  @BeforeEach
  void forget() {
    TELEMETRY.clearSpans();
  }

  private static List<SpanData> spans(Work.Kind kind) {
    return TELEMETRY.getSpans().stream().filter(s -> s.getName().equals(kind.span())).toList();
  }

  /** The first span of a kind that has ended, at the latest soon. */
  private static SpanData span(Work.Kind kind) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> spans(kind), found -> !found.isEmpty())
        .get(0);
  }

  private static Map<String, String> attributes(SpanData span) {
    Map<String, String> all = new TreeMap<>();
    span.getAttributes().forEach((key, value) -> all.put(key.getKey(), String.valueOf(value)));
    return all;
  }

  private static int rows(TableName table, Query query) throws IOException {
    int rows = 0;
    try (Spyhop spyhop = Spyhop.connect(TestCluster.get().connection());
        RowCursor cursor = spyhop.table(table).query(query)) {
      for (var row : cursor) {
        rows += row.isEmpty() ? 0 : 1;
      }
    }
    return rows;
  }

  private static void nothingOfTheData(String... secrets) {
    String all =
        TELEMETRY.getSpans().stream()
            .filter(s -> s.getName().startsWith("spyhop."))
            .map(s -> s.getName() + attributes(s) + s.getEvents() + s.getStatus())
            .collect(Collectors.joining("\n"));
    assertThat(all).contains("spyhop.").doesNotContain(secrets);
  }

  @Test
  void aQueryByALocalIndex() throws IOException {
    try (IndexedTableFixture table = new IndexedTableFixture()) {
      for (int i = 0; i < 20; i++) {
        table.price("secretrow" + i, (double) (i + SECRET));
      }
      table.flushAndIndex();
      table.table().delete(new Delete(Bytes.toBytes("secretrow3")).addColumns(F, F));
      TELEMETRY.clearSpans();
      assertThat(rows(table.name(), Query.where("price < " + (SECRET + 10)).hint("price")))
          .isEqualTo(10);
      SpanData query = span(Work.Kind.QUERY);
      assertThat(attributes(query))
          .containsEntry("spyhop.table", table.name().getNameAsString())
          .containsEntry("spyhop.rows", "10");
      SpanData region = span(Work.Kind.REGION);
      assertThat(attributes(region))
          .containsEntry("spyhop.table", table.name().getNameAsString())
          .containsEntry("spyhop.region", table.region().getRegionInfo().getEncodedName())
          .containsEntry("spyhop.path", "LOCAL_INDEX")
          .containsEntry("spyhop.index", "price")
          .containsEntry("spyhop.rows", "10");
      assertThat(region.getTraceId()).isEqualTo(query.getTraceId());
      assertThat(region.getParentSpanId()).isEqualTo(query.getSpanId());
      SpanData read = span(Work.Kind.INDEX_READ);
      assertThat(read.getParentSpanId()).isEqualTo(region.getSpanId());
      assertThat(attributes(read))
          .containsEntry("spyhop.candidates", "10")
          .containsEntry("spyhop.records", attributes(region).get("spyhop.records"));
      SpanData reread = span(Work.Kind.REREAD);
      assertThat(reread.getParentSpanId()).isEqualTo(region.getSpanId());
      assertThat(attributes(reread))
          .containsEntry("spyhop.rows", attributes(region).get("spyhop.rereads"));
      assertThat(spans(Work.Kind.REREAD)).hasSize(1);
      nothingOfTheData("secretrow", "70707");
    }
  }

  @Test
  void writesAndQueriesOfAGlobalIndex() throws IOException {
    try (GlobalFixture table = new GlobalFixture()) {
      table.awaitBuilt();
      TELEMETRY.clearSpans();
      table.write(GlobalFixture.put("secretrow1", SECRET), GlobalFixture.put("secretrow2", SECRET));
      SpanData write = span(Work.Kind.ENTRY_WRITE);
      assertThat(attributes(write))
          .containsEntry("spyhop.index_table", table.indexName().getNameAsString())
          .containsEntry("spyhop.entries", "2");
      assertThat(rows(table.name(), Query.where("v = " + SECRET).hint("v"))).isEqualTo(2);
      SpanData query = span(Work.Kind.QUERY);
      SpanData read =
          spans(Work.Kind.INDEX_READ).stream()
              .filter(s -> attributes(s).getOrDefault("spyhop.entries", "0").equals("2"))
              .findFirst()
              .orElseThrow();
      assertThat(attributes(read)).containsEntry("spyhop.index", "v");
      assertThat(attributes(span(Work.Kind.REREAD)))
          .containsEntry("spyhop.table", table.name().getNameAsString())
          .containsEntry("spyhop.rows", "2");
      assertThat(List.of(read.getTraceId(), span(Work.Kind.REREAD).getTraceId()))
          .containsOnly(query.getTraceId());
      nothingOfTheData("secretrow", "70707");
    }
  }

  @Test
  void repairs() throws Exception {
    try (RepairedTable table = new RepairedTable(new Options())) {
      table.put("secretrow", "secret", 1);
      table.put("secretrow", "other", 2);
      table.flush();
      table.drain();
      assertThat(attributes(span(Work.Kind.REPAIR)))
          .containsEntry("spyhop.entries", "1")
          .containsEntry("spyhop.deleted", "1")
          .containsEntry("spyhop.kept", "0");
      nothingOfTheData("secret");
    }
  }
}
