package io.spyhop.client.internal.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.Predicates;
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
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Correctness rule 6: scans are pruned that have settings on a list. Every setter of {@link Scan}
 * is classified here; one that a new HBase brings fails the test until somebody thinks about it.
 */
class PrunableScanTest {
  /** Settings that make no difference to which rows of a region are left out. */
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
          "setAuthorizations",
          "setACL",
          "setLoadColumnFamiliesOnDemand",
          "setAttribute",
          "setFilter");

  private static Scan scan() {
    return new Scan()
        .setFilter(new PredicateFilter(FakeRegions.bind(Predicates.column("n").eq(7))));
  }

  private static Map<String, Scan> plain() throws IOException {
    Map<String, Scan> m = new TreeMap<>();
    m.put("setRaw", scan().setRaw(true));
    m.put("setReversed", scan().setReversed(true));
    m.put("setTimeRange", scan().setTimeRange(1, 5));
    m.put("setTimestamp", scan().setTimestamp(5));
    m.put("setTimeStamp", scan().setTimestamp(6));
    m.put("setColumnFamilyTimeRange", scan().setColumnFamilyTimeRange(Bytes.toBytes("d"), 1, 5));
    m.put("setIsolationLevel", scan().setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
    m.put("setConsistency", scan().setConsistency(Consistency.TIMELINE));
    m.put("setReplicaId", scan().setReplicaId(1));
    m.put("setBatch", scan().setFilter(scan().getFilter()).setAllowPartialResults(true));
    m.put("setMaxResultsPerColumnFamily", scan().setMaxResultsPerColumnFamily(2));
    m.put("setRowOffsetPerColumnFamily", scan().setRowOffsetPerColumnFamily(1));
    m.put("setAllowPartialResults", scan().setAllowPartialResults(true));
    m.put("setNeedCursorResult", scan().setNeedCursorResult(true));
    m.put("setScanMetricsEnabled", scan().setScanMetricsEnabled(true));
    Scan resumed = scan();
    PackagePrivateFieldAccessor.setMvccReadPoint(resumed, 7);
    m.put("setMvccReadPoint", resumed);
    m.put("resetMvccReadPoint", resumed);
    return m;
  }

  @Test
  void everySetterIsClassified() throws IOException {
    Set<String> setters =
        Arrays.stream(Scan.class.getDeclaredMethods())
            .filter(m -> !m.isSynthetic())
            .map(Method::getName)
            .filter(n -> n.matches("(set|add|with|read|reset)[A-Z].*"))
            .collect(Collectors.toCollection(TreeSet::new));
    setters.removeAll(SERVED);
    setters.removeAll(plain().keySet());
    assertThat(setters).as("setters of Scan that nobody classified").isEmpty();
  }

  @Test
  void otherScansRunAsTheyAre() throws IOException {
    plain()
        .forEach((setter, scan) -> assertThat(PrunableScan.predicate(scan)).as(setter).isEmpty());
    assertThat(PrunableScan.predicate(new Scan())).as("no filter").isEmpty();
    assertThat(PrunableScan.predicate(scan().setFilter(new FilterList(scan().getFilter()))))
        .as("a filter around the predicate may hide cells from it")
        .isEmpty();
    assertThat(PrunableScan.predicate(scan().addColumn(Bytes.toBytes("d"), Bytes.toBytes("x"))))
        .as("the predicate's column is not selected: servers refuse it")
        .isEmpty();
    byte[] row = Bytes.toBytes("r7");
    assertThat(PrunableScan.predicate(scan().withStartRow(row).withStopRow(Bytes.toBytes("r33"))))
        .as("no rows at all: the server says who may not read (model check seed 314)")
        .isEmpty();
    assertThat(PrunableScan.predicate(scan().withStartRow(row).withStopRow(row))).isEmpty();
    assertThat(PrunableScan.predicate(scan().withStartRow(row).withStopRow(row, true))).isPresent();
  }

  @Test
  void scansOnTheListArePruned() {
    Scan scan =
        scan()
            .withStartRow(Bytes.toBytes("a"), false)
            .withStopRow(Bytes.toBytes("b"), true)
            .addFamily(Bytes.toBytes("d"))
            .readVersions(3)
            .setCaching(7)
            .setLimit(3)
            .setCacheBlocks(false)
            .setReadType(Scan.ReadType.STREAM);
    assertThat(PrunableScan.predicate(scan)).isPresent();
    assertThat(PrunableScan.range(scan)).hasToString("[a\\x00, b\\x00)");
    assertThat(PrunableScan.range(new Scan())).hasToString("[, )");
  }
}
