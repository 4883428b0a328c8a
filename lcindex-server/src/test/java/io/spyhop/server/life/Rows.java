package io.spyhop.server.life;

import static io.spyhop.core.predicate.Predicates.and;
import static io.spyhop.core.predicate.Predicates.column;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.server.testing.IndexedTableFixture;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows {@code r000}, {@code r001}, ... and the questions that are asked of them. */
final class Rows {
  private static final byte[] F = IndexedTableFixture.F;

  private static final List<Predicate> QUESTIONS =
      List.of(
          column("name").eq("n3"),
          and(column("price").lt(40), column("name").isNotNull()),
          column("amount").ge(BigDecimal.valueOf(25, 1)),
          and(column("price").ge(0), column("amount").isNull()));

  private Rows() {}

  static byte[] key(int i) {
    return Bytes.toBytes(String.format("r%03d", i));
  }

  /** A row with all columns; its price is {@code i + add}. */
  static Put whole(int i, double add) {
    return new Put(key(i))
        .addColumn(F, IndexedTableFixture.q("price"), Bytes.toBytes(i + add))
        .addColumn(F, IndexedTableFixture.q("name"), Bytes.toBytes("n" + i % 7))
        .addColumn(
            F, IndexedTableFixture.q("amount"), Bytes.toBytes(BigDecimal.valueOf(i % 50, 1)));
  }

  /** Writes whole rows. */
  static void write(IndexedTableFixture t, int from, int to, double add) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      puts.add(whole(i, add));
    }
    t.table().put(puts);
  }

  /** Writes prices alone, as versions of a time. */
  static void prices(IndexedTableFixture t, int from, int to, double add, long time)
      throws IOException {
    for (int i = from; i < to; i++) {
      t.price(Bytes.toString(key(i)), i + add, time);
    }
  }

  /**
   * Asks several questions along every path.
   *
   * @return the rows whose price is from 10 to 29
   */
  static List<String> agree(IndexedTableFixture t) throws IOException {
    for (Predicate question : QUESTIONS) {
      t.agreed(question);
    }
    return t.agreed(column("price").between(10, 29));
  }
}
