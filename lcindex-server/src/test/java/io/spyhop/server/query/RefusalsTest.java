package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.server.testing.IndexedTableFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Scans that an index must not answer: refused, or answered by the plain scan as ever. */
class RefusalsTest {
  @Test
  void scanThatDoesNotSelectThePredicatesColumns() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("a", 5);
      Scan scan =
          new Scan()
              .addColumn(IndexedTableFixture.F, IndexedTableFixture.q("name"))
              .setFilter(new PredicateFilter(t.bind(column("price").gt(1))));
      assertThatThrownBy(() -> answer(t, scan))
          .hasMessageContaining("f:price")
          .hasMessageContaining(t.name().getNameAsString())
          .hasMessageContaining("does not select")
          .satisfies(e -> assertThat(e.getMessage().lines()).as("of the server").hasSize(1));
    }
  }

  @Test
  void settingsThatGoThePlainWayAnswerAsThePlainScan() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture(f -> f.setMaxVersions(3))) {
      t.price("a", 5, 100);
      t.price("a", 50, 200);
      t.price("b", 5, 300);
      t.flushAndIndex();
      PredicateFilter cheap = new PredicateFilter(t.bind(column("price").lt(10)));
      List<Scan> scans =
          List.of(
              new Scan().setFilter(cheap).setTimeRange(0, 150),
              new Scan().setFilter(cheap).setReversed(true),
              new Scan().setFilter(cheap).setRaw(true),
              new Scan().setFilter(cheap).setAllowPartialResults(true));
      for (Scan scan : scans) {
        Scan plain = new Scan(scan);
        plain.setAttribute(Attributes.PATH_HINT, Bytes.toBytes("scan"));
        Scan index = new Scan(scan);
        index.setAttribute(Attributes.PATH_HINT, Bytes.toBytes("price"));
        assertThat(answer(t, index)).as(scan.toString()).isEqualTo(answer(t, plain)).isNotEmpty();
      }
    }
  }

  private static List<String> answer(IndexedTableFixture t, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = t.table().getScanner(scan)) {
      for (Result r = scanner.next(); r != null; r = scanner.next()) {
        rows.add(r.toString());
      }
    }
    return rows;
  }
}
