package io.spyhop.client.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.protocol.Attributes;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ReadSettingsTest {
  private static final byte[] F = Bytes.toBytes("f");

  /** Setters whose settings are taken over. */
  private static final Set<String> TAKEN =
      Set.of(
          "setTimeRange",
          "setTimestamp",
          "setTimeStamp",
          "setColumnFamilyTimeRange",
          "readVersions",
          "readAllVersions",
          "setMaxVersions",
          "setPriority",
          "setCacheBlocks",
          "setReadType",
          "setSmall",
          "setMaxResultSize",
          "setIsolationLevel",
          "setAuthorizations",
          "setACL",
          "setAttribute",
          "setId");

  /** Other ways to say what is refused. */
  private static final Set<String> ALIKE =
      Set.of(
          "addColumn",
          "setFamilyMap",
          "setStartRow",
          "setStopRow",
          "setRowPrefixFilter",
          "setStartStopRowForPrefixScan",
          "setOneRowLimit",
          "setEnableScanMetricsByRegion",
          "resetMvccReadPoint");

  /** A setting that a query has itself, or that does not go with it. */
  private record Refused(String setter, String name, Scan scan) {}

  private static List<Refused> refused() {
    Scan resumed = new Scan();
    PackagePrivateFieldAccessor.setMvccReadPoint(resumed, 7);
    return List.of(
        new Refused("withStartRow", "start_row", new Scan().withStartRow(F)),
        new Refused("withStopRow", "stop_row", new Scan().withStopRow(F, true)),
        new Refused("addFamily", "column", new Scan().addFamily(F)),
        new Refused("setFilter", "filter", new Scan().setFilter(new PageFilter(1))),
        new Refused("setCaching", "caching", new Scan().setCaching(3)),
        new Refused("setLimit", "limit", new Scan().setLimit(3)),
        new Refused("setReversed", "reversed", new Scan().setReversed(true)),
        new Refused("setRaw", "raw", new Scan().setRaw(true)),
        new Refused("setBatch", "batch_size", new Scan().setBatch(3)),
        new Refused(
            "setMaxResultsPerColumnFamily",
            "store_limit",
            new Scan().setMaxResultsPerColumnFamily(2)),
        new Refused(
            "setRowOffsetPerColumnFamily",
            "store_offset",
            new Scan().setRowOffsetPerColumnFamily(1)),
        new Refused(
            "setLoadColumnFamiliesOnDemand",
            "load_column_families_on_demand",
            new Scan().setLoadColumnFamiliesOnDemand(true)),
        new Refused(
            "setConsistency", "consistency", new Scan().setConsistency(Consistency.TIMELINE)),
        new Refused("setReplicaId", "replica_id", new Scan().setReplicaId(1)),
        new Refused(
            "setAllowPartialResults",
            "allow_partial_results",
            new Scan().setAllowPartialResults(true)),
        new Refused("setNeedCursorResult", "cursor", new Scan().setNeedCursorResult(true)),
        new Refused("setAsyncPrefetch", "async_prefetch", new Scan().setAsyncPrefetch(true)),
        new Refused(
            "setScanMetricsEnabled", "scan_metrics", new Scan().setScanMetricsEnabled(true)),
        new Refused("setMvccReadPoint", "mvcc_read_point", resumed),
        new Refused(
            "setAttribute",
            "attribute spyhop.path",
            new Scan().setAttribute(Attributes.PATH_HINT, F)));
  }

  @Test
  void everySetterIsClassified() {
    Set<String> setters =
        Arrays.stream(Scan.class.getDeclaredMethods())
            .filter(m -> !m.isSynthetic())
            .map(Method::getName)
            .filter(n -> n.matches("(set|add|with|read|reset)[A-Z].*"))
            .collect(Collectors.toCollection(TreeSet::new));
    setters.removeAll(TAKEN);
    setters.removeAll(ALIKE);
    refused().forEach(r -> setters.remove(r.setter));
    assertThat(setters).as("setters of Scan that nobody classified").isEmpty();
  }

  @Test
  void whatIsTheQuerysOwnIsRefusedByName() {
    for (Refused r : refused()) {
      assertThatExceptionOfType(InvalidQueryException.class)
          .as(r.setter)
          .isThrownBy(() -> ReadSettings.of(r.scan))
          .withMessageContaining("but this one also has")
          .withMessageContaining(r.name);
    }
  }

  @Test
  void scansAndGetsHaveWhatWasTaken() throws IOException {
    Scan like =
        new Scan()
            .setTimeRange(3, 9)
            .setColumnFamilyTimeRange(F, 4, 8)
            .readVersions(5)
            .setPriority(7)
            .setCacheBlocks(false)
            .setReadType(Scan.ReadType.STREAM)
            .setMaxResultSize(1_000)
            .setIsolationLevel(IsolationLevel.READ_UNCOMMITTED)
            .setAuthorizations(new Authorizations("secret"))
            .setAttribute("a", F.clone());
    ReadSettings settings = ReadSettings.of(like);
    like.setTimeRange(1, 2).getAttribute("a")[0] = 0;

    Scan scan = settings.scan();
    assertThat(scan.getTimeRange()).hasToString(TimeRange.between(3, 9).toString());
    assertThat(scan.getColumnFamilyTimeRange().get(F))
        .hasToString(TimeRange.between(4, 8).toString());
    assertThat(scan.getMaxVersions()).isEqualTo(5);
    assertThat(scan.getPriority()).isEqualTo(7);
    assertThat(scan.getCacheBlocks()).isFalse();
    assertThat(scan.getReadType()).isEqualTo(Scan.ReadType.STREAM);
    assertThat(scan.getMaxResultSize()).isEqualTo(1_000);
    assertThat(scan.getAttribute("a")).isEqualTo(F);

    Get get = settings.get(F);
    assertThat(get.getTimeRange()).hasToString(scan.getTimeRange().toString());
    assertThat(get.getColumnFamilyTimeRange().get(F))
        .hasToString(TimeRange.between(4, 8).toString());
    assertThat(get.getMaxVersions()).isEqualTo(5);
    assertThat(get.getPriority()).isEqualTo(7);
    assertThat(get.getCacheBlocks()).isFalse();
    assertThat(get.getIsolationLevel()).isEqualTo(IsolationLevel.READ_UNCOMMITTED);
    assertThat(get.getAttributesMap()).containsOnlyKeys(scan.getAttributesMap().keySet());
    assertThat(get.getAttribute("a")).isEqualTo(F);
    assertThat(settings.unserved()).contains("time range");
  }

  @Test
  void thoseOfANewScanChangeNothing() {
    assertThat(ReadSettings.USUAL.cells()).isEmpty();
    assertThat(ReadSettings.USUAL.unserved()).isEmpty();
    assertThat(ReadSettings.of(new Scan().readVersions(3).setCacheBlocks(false)).unserved())
        .isEmpty();
  }
}
