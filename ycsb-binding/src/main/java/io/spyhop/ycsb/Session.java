package io.spyhop.ycsb;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Result;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * The state of one thread of a workload: the table to be read by value, and its own random numbers.
 * Operations are measured under names of their own, as YCSB measures those of its databases. Used
 * by one thread.
 */
final class Session {
  private static final int NANOS_PER_MICRO = 1_000;

  private final IndexedTable table;
  private final SplittableRandom random;
  private final Measurements measurements = Measurements.getMeasurements();

  Session(IndexedTable table, long seed) {
    this.table = table;
    this.random = new SplittableRandom(seed);
  }

  SplittableRandom random() {
    return random;
  }

  /** Judges the rows of a query. */
  @FunctionalInterface
  interface Check {
    /** An empty text if the rows are right, otherwise what is wrong. */
    String complaint(List<Result> rows);
  }

  /**
   * Runs a query and measures it until its last row has been read; checking is not measured.
   *
   * @return OK, ERROR if it failed, UNEXPECTED_STATE if its rows are wrong
   */
  Status query(String operation, Query query, Check check) {
    long begin = System.nanoTime();
    Status status = Status.OK;
    List<Result> rows = new ArrayList<>();
    try (RowCursor cursor = table.query(query)) {
      for (Result row : cursor) {
        rows.add(row);
      }
    } catch (IOException | RuntimeException e) {
      Complaints.failed(said(operation, query), e);
      status = Status.ERROR;
    }
    measurements.measure(operation, micros(begin));
    if (status.isOk()) {
      String complaint = check.complaint(rows);
      if (!complaint.isEmpty()) {
        Complaints.wrong(said(operation, query), complaint);
        status = Status.UNEXPECTED_STATE;
      }
    }
    measurements.reportStatus(operation, status);
    return status;
  }

  private String said(String operation, Query query) {
    return operation + " of table " + table.name() + ": " + query;
  }

  /** Measures what consists of several operations. */
  void measure(String operation, long beginNanos, Status status) {
    measurements.measure(operation, micros(beginNanos));
    measurements.reportStatus(operation, status);
  }

  private static int micros(long begin) {
    return (int) Math.min(Integer.MAX_VALUE, (System.nanoTime() - begin) / NANOS_PER_MICRO);
  }
}
