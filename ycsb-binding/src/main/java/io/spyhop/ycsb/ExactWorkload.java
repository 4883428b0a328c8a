package io.spyhop.ycsb;

import io.spyhop.client.Query;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.DB;
import site.ycsb.Status;

/** A workload that only reads once it is loaded, so that every answer is known to the last row. */
abstract class ExactWorkload extends IndexedWorkload {
  /**
   * Runs a query.
   *
   * @param matches which records its answer must have, by number
   */
  final Status ask(Session session, String operation, Query query, LongPredicate matches) {
    return session.query(operation, query, rows -> isVerified() ? complaint(rows, matches) : "");
  }

  private String complaint(List<Result> rows, LongPredicate matches) {
    List<String> expected =
        LongStream.range(0, records()).filter(matches).mapToObj(this::key).sorted().toList();
    List<String> actual = rows.stream().map(r -> Bytes.toString(r.getRow())).toList();
    if (!actual.equals(expected)) {
      return String.format(
          "it has %d rows, not the %d expected ones; are all %d records loaded?",
          actual.size(), expected.size(), records());
    }
    for (int i = 0; i < rows.size(); i++) {
      if (!holds(rows.get(i), expected.get(i))) {
        return "row " + expected.get(i) + " does not hold what was loaded";
      }
    }
    return "";
  }

  private boolean holds(Result row, String key) {
    return fields(number(key)).entrySet().stream()
        .allMatch(
            f -> Bytes.equals(row.getValue(family(), Bytes.toBytes(f.getKey())), f.getValue()));
  }

  /** The number of a record's key. */
  abstract long number(String key);

  @Override
  final boolean readsOnly() {
    return true;
  }

  @Override
  abstract Status operate(DB db, Session session);
}
