package io.spyhop.ycsb;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import site.ycsb.Status;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/**
 * Passes what was measured on to another exporter, and says which operations did not end well. YCSB
 * makes one, by its class's name, when all threads have ended; its own client ends with status 0
 * whatever happened.
 */
public final class Verdict implements MeasurementsExporter {
  private static final String RETURN = "Return=";
  private static final Set<String> GOOD = Set.of(Status.OK.getName(), Status.BATCHED_OK.getName());

  private static volatile Constructor<? extends MeasurementsExporter> exporters;
  private static volatile boolean good;

  private final MeasurementsExporter exporter;
  private final List<String> bad = new ArrayList<>();

  /**
   * Called by YCSB.
   *
   * @param out where the measurements go
   */
  public Verdict(OutputStream out) throws ReflectiveOperationException {
    exporter = exporters.newInstance(out);
  }

  /** Names the exporter that is to write, before the client starts. */
  static void passOnTo(Constructor<? extends MeasurementsExporter> constructor) {
    exporters = constructor;
  }

  /** Whether the client has ended, and every operation has ended well. */
  static boolean isGood() {
    return good;
  }

  @Override
  public void write(String metric, String measurement, int i) throws IOException {
    judge(metric, measurement, i);
    exporter.write(metric, measurement, i);
  }

  @Override
  public void write(String metric, String measurement, long i) throws IOException {
    judge(metric, measurement, i);
    exporter.write(metric, measurement, i);
  }

  @Override
  public void write(String metric, String measurement, double d) throws IOException {
    exporter.write(metric, measurement, d);
  }

  private void judge(String metric, String measurement, long count) {
    if (measurement.startsWith(RETURN) && count > 0) {
      String status = measurement.substring(RETURN.length());
      if (!GOOD.contains(status)) {
        String times = count == 1 ? "once" : count + " times";
        bad.add(metric + " ended as " + status + " " + times);
      }
    }
  }

  @Override
  public void close() throws IOException {
    exporter.close();
    bad.forEach(Complaints::say);
    good = bad.isEmpty();
  }
}
