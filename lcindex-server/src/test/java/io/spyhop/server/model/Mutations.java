package io.spyhop.server.model;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Mutations that read what they change. */
final class Mutations {
  private final Table table;

  Mutations(Table table) {
    this.table = table;
  }

  void apply(Operation.Kind kind, Random r) throws IOException {
    switch (kind) {
      case INCREMENT -> increment(r);
      case APPEND ->
          table.append(
              new Append(Operation.row(r))
                  .addColumn(Column.B.family(), Column.B.qualifier(), Bytes.toBytes("z")));
      case CHECK_AND_MUTATE -> checkAndMutate(r);
      default -> mutateRow(r);
    }
  }

  /** HBase refuses to increment what is no long, and the model holds such values. */
  private void increment(Random r) throws IOException {
    try {
      table.increment(
          new Increment(Operation.row(r))
              .addColumn(Column.A.family(), Column.A.qualifier(), r.nextInt(5)));
    } catch (DoNotRetryIOException e) {
      if (!String.valueOf(e.getMessage()).contains("not a long")) {
        throw e;
      }
    }
  }

  private void checkAndMutate(Random r) throws IOException {
    Put put = Operation.put(r, false);
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(put.getRow());
    table.checkAndMutate(
        r.nextBoolean()
            ? check.ifNotExists(Column.A.family(), Column.A.qualifier()).build(put)
            : check
                .ifEquals(Column.A.family(), Column.A.qualifier(), Bytes.toBytes(1L))
                .build(put));
  }

  private void mutateRow(Random r) throws IOException {
    Put put = Operation.put(r, false);
    Column c = Column.values()[r.nextInt(Column.values().length)];
    RowMutations mutations = new RowMutations(put.getRow());
    mutations.add(new Delete(put.getRow()).addColumns(c.family(), c.qualifier(), 2_000_000L));
    mutations.add(put);
    table.mutateRow(mutations);
  }
}
