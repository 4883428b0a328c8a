package io.spyhop.ycsb;

import io.spyhop.client.Consistency;
import io.spyhop.client.Query;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.WorkloadException;

/**
 * The batches of range queries of the paper on partition pruning (section 5.3): a time column that
 * goes with the row keys, so that statistics rule out most regions. Operations: {@code RANGE} for
 * each query, {@code BATCH} for so many of them.
 */
public final class BatchRangeWorkload extends ExactWorkload {
  private static final String TIME = "t";
  private static final long STEP = 1_000;
  private static final long JITTER = 50 * STEP;
  private static final int KEY_DIGITS = 13;
  private static final int USUAL_BATCH = 10;
  private static final int MAX_BATCH = 10_000;
  private static final double USUAL_SELECTIVITY = 0.01;

  private int batch;
  private long width;
  private Consistency consistency;

  @Override
  void read(Settings settings) throws WorkloadException {
    batch = (int) settings.number(Settings.BATCH, USUAL_BATCH, 1, MAX_BATCH);
    double selectivity = settings.fraction(Settings.SELECTIVITY, USUAL_SELECTIVITY);
    width = Math.max(1, Math.round(records() * STEP * selectivity));
    consistency = settings.consistency();
  }

  @Override
  List<String> indexed() {
    return List.of(TIME);
  }

  @Override
  String usualIndex() {
    return "stats";
  }

  @Override
  String key(long number) {
    return String.format("%0" + KEY_DIGITS + "d", number);
  }

  @Override
  long number(String key) {
    return Long.parseLong(key);
  }

  @Override
  String split(int region, int regions) {
    return key(records() * region / regions);
  }

  @Override
  Map<String, byte[]> fields(long number) {
    return Map.of(TIME, Bytes.toBytes(time(number)));
  }

  private static long time(long number) {
    return number * STEP + Numbers.below(JITTER, number, 1);
  }

  @Override
  Status operate(DB db, Session session) {
    long begin = System.nanoTime();
    Status worst = Status.OK;
    for (int i = 0; i < batch; i++) {
      long from = session.random().nextLong(Math.max(1, records() * STEP - width + 1));
      long to = from + width - 1;
      Query query =
          Query.where(typed(TIME) + " BETWEEN " + from + " AND " + to).consistency(consistency);
      Status status = ask(session, "RANGE", query, n -> time(n) >= from && time(n) <= to);
      worst = worst.isOk() ? status : worst;
    }
    session.measure("BATCH", begin, worst);
    return worst;
  }
}
