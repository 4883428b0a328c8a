package io.spyhop.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Correctness rule 6: the index path serves what is on a list. Every setter of {@link Scan} is
 * classified here; one that a new HBase brings fails the test until it is classified.
 */
class ScanSettingsTest {
  /** Settings with which an index answers as the scan does, whatever their value. */
  private static final Set<String> SERVED =
      Set.of(
          "addFamily",
          "addColumn",
          "setFamilyMap",
          "withStartRow",
          "setStartRow",
          "withStopRow",
          "setStopRow",
          "setRowPrefixFilter",
          "setStartStopRowForPrefixScan",
          "setMaxVersions",
          "readAllVersions",
          "readVersions",
          "setCaching",
          "setMaxResultSize",
          "setLimit",
          "setOneRowLimit",
          "setCacheBlocks",
          "setReadType",
          "setSmall",
          "setPriority",
          "setId",
          "setAsyncPrefetch",
          "setScanMetricsEnabled",
          "setEnableScanMetricsByRegion",
          "setAttribute");

  /** Settings that change the filter or the access check, which the path looks at as a whole. */
  private static final Set<String> SEEN_IN_FILTER =
      Set.of("setFilter", "setAuthorizations", "setACL", "setLoadColumnFamiliesOnDemand");

  /** An example of each setting that goes the plain way. */
  private static final Map<String, Scan> PLAIN = plain();

  private static Map<String, Scan> plain() {
    try {
      Map<String, Scan> m = new TreeMap<>();
      m.put("setRaw", new Scan().setRaw(true));
      m.put("setReversed", new Scan().setReversed(true));
      m.put("setTimeRange", new Scan().setTimeRange(1, 5));
      m.put("setTimestamp", new Scan().setTimestamp(5));
      m.put("setTimeStamp", new Scan().setTimestamp(6));
      m.put(
          "setColumnFamilyTimeRange",
          new Scan().setColumnFamilyTimeRange(Bytes.toBytes("f"), 1, 5));
      m.put("setIsolationLevel", new Scan().setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
      m.put("setConsistency", new Scan().setConsistency(Consistency.TIMELINE));
      m.put("setReplicaId", new Scan().setReplicaId(1));
      m.put("setBatch", new Scan().setBatch(3));
      m.put("setMaxResultsPerColumnFamily", new Scan().setMaxResultsPerColumnFamily(2));
      m.put("setRowOffsetPerColumnFamily", new Scan().setRowOffsetPerColumnFamily(1));
      m.put("setAllowPartialResults", new Scan().setAllowPartialResults(true));
      m.put("setNeedCursorResult", new Scan().setNeedCursorResult(true));
      Scan resumed = new Scan();
      PackagePrivateFieldAccessor.setMvccReadPoint(resumed, 7);
      m.put("setMvccReadPoint", resumed);
      m.put("resetMvccReadPoint", resumed);
      return m;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void everySetterIsClassified() {
    Set<String> setters =
        Arrays.stream(Scan.class.getDeclaredMethods())
            .filter(m -> !m.isSynthetic())
            .map(Method::getName)
            .filter(n -> n.matches("(set|add|with|read|reset)[A-Z].*"))
            .collect(Collectors.toCollection(TreeSet::new));
    setters.removeAll(SERVED);
    setters.removeAll(SEEN_IN_FILTER);
    setters.removeAll(PLAIN.keySet());
    assertThat(setters).as("setters of Scan that nobody classified").isEmpty();
  }

  @Test
  void plainSettingsAreRefusedWithAReason() {
    PLAIN.forEach(
        (setter, scan) -> assertThat(ScanSettings.unsupported(scan)).as(setter).isPresent());
  }

  @Test
  void servedSettingsAreServed() throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(Bytes.toBytes("a"), false)
            .withStopRow(Bytes.toBytes("b"), true)
            .addFamily(Bytes.toBytes("f"))
            .readVersions(3)
            .setCaching(7)
            .setMaxResultSize(100)
            .setLimit(3)
            .setCacheBlocks(false)
            .setReadType(Scan.ReadType.STREAM)
            .setPriority(1)
            .setScanMetricsEnabled(true);
    assertThat(ScanSettings.unsupported(scan)).isEmpty();
    assertThat(ScanSettings.unsupported(new Scan())).isEmpty();
  }
}
