package io.spyhop.ycsb;

import io.spyhop.client.Query;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.WorkloadException;

/**
 * LCIndex's multi-dimensional range queries (section IV): ranges over several columns at once, of
 * which each lets through the same part of the records. Operation: {@code MDRQ}.
 */
public final class MdrqWorkload extends ExactWorkload {
  private static final long DOMAIN = 1_000_000;
  private static final int MAX_DIMENSIONS = 16;
  private static final int USUAL_DIMENSIONS = 3;
  private static final double USUAL_SELECTIVITY = 0.05;

  private int dimensions;
  private long width;

  @Override
  void read(Settings settings) throws WorkloadException {
    dimensions = (int) settings.number(Settings.DIMENSIONS, USUAL_DIMENSIONS, 1, MAX_DIMENSIONS);
    double selectivity = settings.fraction(Settings.SELECTIVITY, USUAL_SELECTIVITY);
    width = Math.max(1, Math.round(DOMAIN * selectivity));
  }

  private static String column(int dimension) {
    return "d" + dimension;
  }

  @Override
  List<String> indexed() {
    return IntStream.range(0, dimensions).mapToObj(MdrqWorkload::column).toList();
  }

  @Override
  String usualIndex() {
    return "local";
  }

  @Override
  String key(long number) {
    return HashedKeys.key(number);
  }

  @Override
  long number(String key) {
    return HashedKeys.number(key);
  }

  @Override
  String split(int region, int regions) {
    return HashedKeys.split(region, regions);
  }

  @Override
  Map<String, byte[]> fields(long number) {
    Map<String, byte[]> fields = new HashMap<>();
    for (int d = 0; d < dimensions; d++) {
      fields.put(column(d), Bytes.toBytes(value(number, d)));
    }
    return fields;
  }

  private static long value(long number, int dimension) {
    return Numbers.below(DOMAIN, number, dimension + 1L);
  }

  @Override
  Status operate(DB db, Session session) {
    long[] from = new long[dimensions];
    for (int d = 0; d < dimensions; d++) {
      from[d] = session.random().nextLong(DOMAIN - width + 1);
    }
    String where =
        IntStream.range(0, dimensions)
            .mapToObj(
                d -> typed(column(d)) + " BETWEEN " + from[d] + " AND " + (from[d] + width - 1))
            .collect(Collectors.joining(" AND "));
    return ask(session, "MDRQ", Query.where(where), n -> isWithin(n, from));
  }

  private boolean isWithin(long number, long[] from) {
    for (int d = 0; d < dimensions; d++) {
      long value = value(number, d);
      if (value < from[d] || value >= from[d] + width) {
        return false;
      }
    }
    return true;
  }
}
