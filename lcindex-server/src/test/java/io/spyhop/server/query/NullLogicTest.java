package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.IndexedTableFixture;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Correctness rule 5 against a region: absent and undecodable values under NOT and IS NULL. */
class NullLogicTest {
  @Test
  void absentAndUndecodable() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.put("absent", "name", Bytes.toBytes("n"));
      t.put("broken", "name", Bytes.toBytes("n"));
      t.put("broken", "price", new byte[] {9});
      t.put("other", "name", Bytes.toBytes("n"));
      t.price("other", 2);
      t.put("seven", "name", Bytes.toBytes("n"));
      t.price("seven", 7);
      t.flushAndIndex();
      assertThat(t.agreed(column("price").eq(7).not())).containsExactly("other");
      assertThat(t.agreed(column("price").between(1, 5).not())).containsExactly("seven");
      assertThat(t.agreed(column("price").in(2, 3).not())).containsExactly("seven");
      assertThat(t.agreed(column("price").eq(7).not().not())).containsExactly("seven");
      assertThat(t.agreed(column("price").isNull())).containsExactly("absent");
      assertThat(t.agreed(column("price").isNull().not()))
          .containsExactly("broken", "other", "seven");
      assertThat(t.agreed(column("price").eq(7).or(column("name").eq("n")).not())).isEmpty();
      assertThat(t.agreed(column("price").lt(5).or(column("price").isNull())))
          .containsExactly("absent", "other");
    }
  }

  @Test
  void deletedColumnBecomesNull() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.put("a", "name", Bytes.toBytes("n"));
      t.price("a", 7);
      t.flushAndIndex();
      t.table()
          .delete(
              new Delete(Bytes.toBytes("a"))
                  .addColumns(IndexedTableFixture.F, IndexedTableFixture.q("price")));
      assertThat(t.agreed(column("price").isNull().and(column("name").eq("n"))))
          .containsExactly("a");
      t.flushAndIndex();
      assertThat(t.agreed(column("price").isNull().and(column("name").eq("n"))))
          .containsExactly("a");
    }
  }
}
