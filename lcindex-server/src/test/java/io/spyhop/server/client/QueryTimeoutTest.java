package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.Aggregate;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryCancelledException;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries of a table whose servers do not answer end when they are told to. */
class QueryTimeoutTest {
  private static final TableName NAME = TableName.valueOf("held");
  private static final byte[] F = Bytes.toBytes("f");
  private static final Query QUERY = Query.where("CAST(f:f AS LONG) >= 0");
  private static volatile CountDownLatch held;

  private final TestCluster cluster = TestCluster.get();
  private Spyhop spyhop;
  private IndexedTable table;

  /** Keeps a scan until it is let go. */
  public static final class Holding implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public boolean preScannerNext(
        ObserverContext<RegionCoprocessorEnvironment> c,
        InternalScanner s,
        List<Result> result,
        int limit,
        boolean hasNext)
        throws IOException {
      try {
        held.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      return hasNext;
    }
  }

  @BeforeEach
  void create() throws IOException {
    held = new CountDownLatch(1);
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setCoprocessor(Holding.class.getName())
                .build(),
            new byte[][] {Bytes.toBytes("h"), Bytes.toBytes("q")});
    try (Table t = cluster.connection().getTable(NAME)) {
      for (String row : List.of("a", "i", "r")) {
        t.put(new Put(Bytes.toBytes(row)).addColumn(F, F, Bytes.toBytes(1L)));
      }
    }
    spyhop = Spyhop.connect(cluster.connection());
    table = spyhop.table(NAME);
  }

  @AfterEach
  void drop() throws IOException {
    held.countDown();
    spyhop.close();
    cluster.admin().disableTable(NAME);
    cluster.admin().deleteTable(NAME);
  }

  private static List<String> rows(RowCursor cursor) {
    List<String> rows = new ArrayList<>();
    try (cursor) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  @Test
  void whateverTheyAskFor() throws Exception {
    Query soon = QUERY.timeout(Duration.ofMillis(200));
    for (Query query : List.of(soon, soon.range(Bytes.toBytes("a"), Bytes.toBytes("b")))) {
      assertThatThrownBy(() -> rows(table.query(query)))
          .isInstanceOf(UncheckedIOException.class)
          .hasCauseInstanceOf(QueryCancelledException.class)
          .hasMessageContaining("not answered within 200 ms");
    }
    assertThatThrownBy(() -> rows(table.query(soon.limit(2))))
        .hasCauseInstanceOf(QueryCancelledException.class);
    assertThatThrownBy(() -> rows(table.query(soon.orderBy("CAST(f:f AS LONG)"))))
        .hasCauseInstanceOf(QueryCancelledException.class);
    assertThatThrownBy(() -> table.aggregate(soon, Aggregation.of(Aggregate.count())))
        .isInstanceOf(QueryCancelledException.class);
    assertThatThrownBy(() -> table.explainAnalyze(soon))
        .isInstanceOf(QueryCancelledException.class);
    assertThat(Thread.interrupted()).isFalse();
    held.countDown();
    Query patient = QUERY.timeout(Duration.ofMinutes(1));
    assertThat(rows(table.query(patient))).containsExactly("a", "i", "r");
    assertThat(rows(table.query(patient.orderBy("CAST(f:f AS LONG)"))))
        .containsExactly("a", "i", "r");
    assertThat(table.aggregate(patient, Aggregation.of(Aggregate.count())).groups()).hasSize(1);
  }
}
