package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.IndexedTableFixture;
import java.io.IOException;
import java.math.BigDecimal;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Correctness rule 4: values that do not fit a key, and rows that do not fit beside one. */
class KeyLimitsTest {
  @Test
  void valuesThatShareACutKey() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      String prefix = "p".repeat(600);
      for (String end : new String[] {"1", "2", "3"}) {
        t.put("r" + end, "name", Bytes.toBytes(prefix + end));
      }
      t.flushAndIndex();
      assertThat(t.agreed(column("name").gt(prefix + "1"))).containsExactly("r2", "r3");
      assertThat(t.agreed(column("name").lt(prefix + "3"))).containsExactly("r1", "r2");
      assertThat(t.agreed(column("name").eq(prefix + "2"))).containsExactly("r2");
      assertThat(t.agreed(column("name").ne(prefix + "2"))).containsExactly("r1", "r3");
      assertThat(t.agreed(column("name").startsWith(prefix))).hasSize(3);
      assertThat(t.agreed(column("name").startsWith(prefix + "3"))).containsExactly("r3");
    }
  }

  @Test
  void zeroBytesInStrings() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.put("r1", "name", Bytes.toBytes("a"));
      t.put("r2", "name", Bytes.toBytes("a\u0000"));
      t.put("r3", "name", Bytes.toBytes("a\u0000b"));
      t.put("r4", "name", new byte[0]);
      t.flushAndIndex();
      assertThat(t.agreed(column("name").eq("a"))).containsExactly("r1");
      assertThat(t.agreed(column("name").gt("a"))).containsExactly("r2", "r3");
      assertThat(t.agreed(column("name").eq(""))).containsExactly("r4");
    }
  }

  @Test
  void negativeZeroAndNotANumber() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("minus", -0.0);
      t.price("nan", Double.NaN);
      t.price("plus", 0.0);
      t.flushAndIndex();
      assertThat(t.agreed(column("price").eq(0.0))).containsExactly("minus", "plus");
      assertThat(t.agreed(column("price").lt(0.0))).isEmpty();
      assertThat(t.agreed(column("price").gt(1e308))).containsExactly("nan");
      assertThat(t.agreed(column("price").eq(Double.NaN))).containsExactly("nan");
    }
  }

  @Test
  void roundedAndUnkeyableDecimals() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      String digits = "1234567890123456789012345678901234567890";
      t.put("a", "amount", Bytes.toBytes(new BigDecimal(digits + ".1")));
      t.put("b", "amount", Bytes.toBytes(new BigDecimal(digits + ".2")));
      t.put("c", "amount", Bytes.toBytes(new BigDecimal("1e5000")));
      t.put("d", "amount", Bytes.toBytes(new BigDecimal("-1e5000")));
      t.flushAndIndex();
      assertThat(t.agreed(column("amount").gt(new BigDecimal(digits + ".1"))))
          .containsExactly("b", "c");
      assertThat(t.agreed(column("amount").lt(0))).containsExactly("d");
      assertThat(t.agreed(column("amount").eq(new BigDecimal("1e5000")))).containsExactly("c");
      assertThat(t.agreed(column("amount").le(new BigDecimal("1e4999"))))
          .containsExactly("a", "b", "d");
    }
  }

  @Test
  void longestRowKeys() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      String row = "r".repeat(HConstants.MAX_ROW_LENGTH - 100);
      t.put(row, "name", Bytes.toBytes("x".repeat(5000)));
      t.put(row.substring(1) + "s", "name", Bytes.toBytes("x".repeat(5000) + "y"));
      t.flushAndIndex();
      assertThat(t.agreed(column("name").eq("x".repeat(5000)))).containsExactly(row);
    }
  }

  @Test
  void undecodableCellsAreCountedAndTheRowStaysFindable() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.put("a", "price", new byte[] {1, 2, 3});
      t.put("a", "name", Bytes.toBytes("n"));
      t.price("b", 3);
      t.flushAndIndex();
      assertThat(t.agreed(column("name").eq("n"))).containsExactly("a");
      assertThat(t.agreed(column("price").isNotNull())).containsExactly("a", "b");
      assertThat(t.agreed(column("price").ne(7.0))).containsExactly("b");
      assertThat(t.indexes().all())
          .filteredOn(f -> f.definition().name().equals("price"))
          .allMatch(f -> f.counts().undecodable() == 1);
    }
  }
}
