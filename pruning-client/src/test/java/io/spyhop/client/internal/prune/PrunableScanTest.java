package io.spyhop.client.internal.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.Predicates;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PrunableScanTest {
  private static Scan scan() {
    return new Scan()
        .setFilter(new PredicateFilter(FakeRegions.bind(Predicates.column("n").eq(7))));
  }

  @Test
  void otherScansRunAsTheyAre() throws IOException {
    assertThat(PrunableScan.predicate(scan().setRaw(true)))
        .as("what is not on the list (ScanSettingsTest)")
        .isEmpty();
    assertThat(PrunableScan.predicate(scan().setScanMetricsEnabled(true)))
        .as("regions that are left out would not be counted")
        .isEmpty();
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
