package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spyhop.bench.mdrq.BenchQuery;
import io.spyhop.bench.mdrq.BenchReport;
import io.spyhop.bench.mdrq.DemoReport;
import io.spyhop.bench.mdrq.PutsReport;
import io.spyhop.bench.mdrq.QueryReport;
import io.spyhop.bench.mdrq.StateReport;
import io.spyhop.bench.order.OrderReport;
import io.spyhop.cli.output.DeliSample;
import io.spyhop.cli.output.Json;
import io.spyhop.cli.output.PruningSample;
import io.spyhop.client.JobSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The keys are read by other programs: they do not change. */
class JsonKeysTest {
  private static final QueryReport QUERY =
      new QueryReport("MDRQ-A", 3, 10.5, 2.1, 5.0, "totalprice", 12, true);

  private static List<String> keys(JsonNode node) {
    List<String> keys = new ArrayList<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  private static JsonNode json(Object report) throws IOException {
    return new ObjectMapper().readTree(Json.document(report));
  }

  @Test
  void demo() throws IOException {
    JsonNode json = json(new DemoReport(100, List.of(QUERY), List.of(QUERY), List.of(QUERY)));
    assertThat(keys(json)).containsExactly("rows", "queries", "after_updates", "after_compaction");
    for (String list : List.of("queries", "after_updates", "after_compaction")) {
      assertThat(keys(json.get(list).get(0)))
          .containsExactly(
              "name", "rows", "plain_ms", "spyhop_ms", "ratio", "driving", "records_read", "equal");
    }
    assertThat(json.at("/queries/0/plain_ms").asDouble()).isEqualTo(10.5);
  }

  @Test
  void order() throws IOException {
    OrderReport.Top top = new OrderReport.Top(900, 9, 100, 12, true, 1_000, 900);
    JsonNode json = json(new OrderReport(100, 4, top));
    assertThat(keys(json)).containsExactly("rows", "regions", "top10");
    assertThat(keys(json.get("top10")))
        .containsExactly(
            "plain_ms",
            "spyhop_ms",
            "ratio",
            "blocks",
            "equal",
            "plain_scan_ms",
            "plain_regions_ms");
  }

  @Test
  void bench() throws IOException {
    BenchQuery query =
        new BenchQuery(
            "MDRQ-A",
            "flushed",
            3,
            10.5,
            2.1,
            0.5,
            5.0,
            "totalprice",
            12,
            true,
            "scvf",
            11,
            10.5,
            2,
            0.4,
            new BenchQuery.Effort(9, 12, 95, 11),
            new BenchQuery.Effort(2, 3, 476, 2.5));
    BenchReport.Insert insert = new BenchReport.Insert(2, 1, 0.5, 1.8, 0.9, 0.5);
    PutsReport.Puts puts = new PutsReport.Puts(3, 1, 4, 2, 17);
    JsonNode json =
        json(
            new BenchReport(
                100,
                4,
                insert,
                1.5,
                new BenchReport.DiskBytes(1, 2, 3),
                List.of(new JobSummary("FLUSH", 2, 0, 1.5, List.of(1L, 2L), 3)),
                List.of(query),
                List.of(new StateReport("flushed", 4, 1, 0, insert, 1.5)),
                List.of(new PutsReport("IN-A", "puts-beside-in", puts, puts, true))));
    assertThat(keys(json))
        .containsExactly(
            "rows",
            "regions",
            "insert",
            "indexed_after_s",
            "bytes",
            "jobs",
            "queries",
            "states",
            "puts");
    assertThat(keys(json.at("/states/0")))
        .containsExactly("state", "regions", "hfiles", "memstore_mb", "insert", "indexed_after_s");
    assertThat(keys(json.at("/puts/0")))
        .containsExactly("name", "state", "plain", "spyhop", "equal");
    assertThat(keys(json.at("/puts/0/spyhop")))
        .containsExactly(
            "alone_longest_ms", "alone_p99_ms", "beside_longest_ms", "beside_p99_ms", "queries");
    assertThat(keys(json.at("/queries/0/plain")))
        .containsExactly("mb_read", "cpu_ms", "qps", "p99_ms");
    assertThat(keys(json.at("/jobs/0")))
        .containsExactly("kind", "jobs", "failed", "mean_wait_ms", "wait_ms", "mean_run_ms");
    assertThat(keys(json.get("insert")))
        .containsExactly(
            "plain_rows_per_s",
            "spyhop_rows_per_s",
            "ratio",
            "plain_flushed_rows_per_s",
            "spyhop_indexed_rows_per_s",
            "indexed_ratio");
    assertThat(keys(json.get("bytes"))).containsExactly("base", "ifiles", "sfiles");
    assertThat(keys(json.at("/queries/0")))
        .containsExactly(
            "name",
            "state",
            "rows",
            "plain_ms",
            "spyhop_ms",
            "floor_ms",
            "ratio",
            "driving",
            "records_read",
            "equal",
            "plain_filter",
            "plain_predicate_ms",
            "plain_scvf_ms",
            "rereads",
            "floor_regions_ms",
            "plain",
            "spyhop");
  }

  @Test
  void deli() throws IOException {
    JsonNode json = json(DeliSample.report());
    assertThat(keys(json))
        .containsExactly(
            "write",
            "p99_ms",
            "mixed",
            "compaction",
            "online_block_reads",
            "p50_ms",
            "write_drained",
            "singles",
            "overhead",
            "settings");
    for (String rates : List.of("/write", "/write_drained", "/singles/write")) {
      assertThat(keys(json.at(rates)))
          .containsExactly("none_ops", "deferred_ops", "sync_ops", "ratio");
    }
    assertThat(keys(json.get("p99_ms"))).containsExactly("none", "deferred", "sync");
    assertThat(keys(json.at("/mixed/0")))
        .containsExactly(
            "read_ratio", "deferred_ops", "sync_ops", "ratio", "deferred_ms", "sync_ms");
    assertThat(keys(json.at("/mixed/0/sync_ms")))
        .containsExactly("read_p50", "read_p99", "write_p50", "write_p99");
    assertThat(keys(json.at("/compaction/0")))
        .containsExactly("dataset", "mode", "seconds", "ratio", "block_reads", "all_seconds");
    assertThat(keys(json.get("online_block_reads"))).containsExactly("deferred", "sync");
    assertThat(keys(json.at("/overhead/0")))
        .containsExactly(
            "mode",
            "online_s",
            "offline_s",
            "total_s",
            "online_block_reads",
            "offline_block_reads",
            "total_block_reads");
  }

  @Test
  void pruning() throws IOException {
    JsonNode json = json(PruningSample.report().json());
    assertThat(keys(json)).containsExactly("queries", "sync", "cache_bytes", "all");
    assertThat(keys(json.at("/queries/0")))
        .containsExactly(
            "name",
            "load",
            "ops_regions",
            "pps_regions",
            "ops_memstores",
            "pps_memstores",
            "oracle_regions",
            "ops_qps",
            "pps_qps",
            "equal");
    assertThat(keys(json.get("sync")))
        .containsExactly("regions", "servers", "rpcs", "median_ms", "multiget_ms");
    assertThat(json.at("/cache_bytes/item").asLong()).isEqualTo(2_584);
  }
}
