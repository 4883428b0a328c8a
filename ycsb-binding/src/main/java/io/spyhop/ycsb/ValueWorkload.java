package io.spyhop.ycsb;

import io.spyhop.client.Query;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.WorkloadException;

/**
 * DELI's mix of writes and reads by value (section VI): a write gives a record another value of its
 * indexed column, a read asks for the records of one value. Operations: {@code VALUE-READ}, and
 * YCSB's {@code INSERT} for writes.
 *
 * <p>What a row holds beside its value follows from its key and the value, so that a read tells
 * obsolete and mixed rows, whatever is written meanwhile.
 */
public final class ValueWorkload extends IndexedWorkload {
  private static final String VALUE = "v";
  private static final String PAYLOAD = "p";
  private static final int USUAL_PAYLOAD = 100;
  private static final int MAX_PAYLOAD = 1 << 20;
  private static final double USUAL_READS = 0.1;

  private long values;
  private int payload;
  private int limit;
  private double reads;

  @Override
  void read(Settings settings) throws WorkloadException {
    values = settings.number(Settings.VALUES, Math.max(1, records() / 10), 1, Long.MAX_VALUE);
    payload = (int) settings.number(Settings.PAYLOAD, USUAL_PAYLOAD, 1, MAX_PAYLOAD);
    limit = (int) settings.number(Settings.LIMIT, 0, 0, Integer.MAX_VALUE);
    reads = settings.fraction(Settings.READ, USUAL_READS);
  }

  @Override
  List<String> indexed() {
    return List.of(VALUE);
  }

  @Override
  String usualIndex() {
    return "global";
  }

  @Override
  String key(long number) {
    return HashedKeys.key(number);
  }

  @Override
  String split(int region, int regions) {
    return HashedKeys.split(region, regions);
  }

  @Override
  Map<String, byte[]> fields(long number) {
    return fields(number, Numbers.below(values, number, 1));
  }

  private Map<String, byte[]> fields(long number, long value) {
    return Map.of(VALUE, Bytes.toBytes(value), PAYLOAD, payloadOf(number, value));
  }

  private byte[] payloadOf(long number, long value) {
    return Numbers.bytes(payload, number, value);
  }

  @Override
  Status operate(DB db, Session session) {
    long value = session.random().nextLong(values);
    if (session.random().nextDouble() >= reads) {
      long number = session.random().nextLong(records());
      return write(db, number, fields(number, value));
    }
    Query query = Query.where(typed(VALUE) + " = " + value);
    return session.query(
        "VALUE-READ",
        limit > 0 ? query.limit(limit) : query,
        rows -> isVerified() ? complaint(rows, value) : "");
  }

  private String complaint(List<Result> rows, long value) {
    Set<String> keys = new HashSet<>();
    for (Result row : rows) {
      String key = Bytes.toString(row.getRow());
      byte[] v = row.getValue(family(), Bytes.toBytes(VALUE));
      byte[] p = row.getValue(family(), Bytes.toBytes(PAYLOAD));
      if (!Bytes.equals(v, Bytes.toBytes(value))) {
        return "row " + key + " has another value: " + Bytes.toStringBinary(v);
      }
      if (!Bytes.equals(p, payloadOf(HashedKeys.number(key), value))) {
        return "row " + key + " has cells that were not written together";
      }
      if (!keys.add(key)) {
        return "row " + key + " comes twice";
      }
    }
    return "";
  }
}
