package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries that read as a scan does: the model check compares them with scans. */
class ReadLikeTest {
  private static IndexedTableFixture fixture;
  private static Spyhop spyhop;
  private static IndexedTable table;

  @BeforeAll
  static void start() throws Exception {
    fixture = new IndexedTableFixture(TestCluster.get(), f -> f.setMaxVersions(2));
    for (int i = 0; i < 3; i++) {
      fixture.price("row" + i, i, 100);
      fixture.price("row" + i, 10 + i, 200);
    }
    fixture.flushAndIndex();
    spyhop = Spyhop.connect(TestCluster.get().connection());
    table = spyhop.table(fixture.name());
  }

  @AfterAll
  static void stop() throws Exception {
    spyhop.close();
    fixture.close();
  }

  private static Scan before(long time) throws IOException {
    return new Scan().setTimeRange(0, time);
  }

  private static List<String> rows(Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = table.query(query)) {
      cursor.forEach(row -> rows.add(Bytes.toString(row.getRow()) + " " + row.size()));
    }
    return rows;
  }

  @Test
  void anOlderTimeIsScanned() throws IOException {
    Query old = Query.where("price BETWEEN 1 AND 2");
    assertThat(rows(old)).isEmpty();
    Query asOf = old.readLike(before(150));
    assertThat(rows(asOf)).containsExactly("row1 1", "row2 1");
    assertThat(table.explain(old).toText()).doesNotContain("time range");
    assertThat(table.explain(asOf).toText()).contains("(time range: scanned)");
  }

  @Test
  void versionsAreReturnedAndTheNewestJudged() throws IOException {
    Query newest = Query.where("price > 11").readLike(new Scan().readVersions(2));
    assertThat(rows(newest)).containsExactly("row2 2");
    assertThat(table.explain(newest).toText()).doesNotContain("scanned)");
  }
}
