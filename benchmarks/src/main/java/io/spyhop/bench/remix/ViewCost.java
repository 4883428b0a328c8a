package io.spyhop.bench.remix;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Row;
import io.spyhop.server.hook.SpyhopRegionServer;
import io.spyhop.server.metrics.ServerMetrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/** Counts what flushes of a table take, and what making views takes meanwhile. Not thread-safe. */
final class ViewCost {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Supplier<List<HRegionServer>> servers;
  private final RemixTable table;
  private long read;
  private long cpuMicros;
  private int flushes;
  private long bytesFlushed;
  private long flushNanos;

  /** Does not count yet. */
  ViewCost(Supplier<List<HRegionServer>> servers, RemixTable table) {
    this.servers = servers;
    this.table = table;
  }

  /** Counts from now on what making views takes. */
  void resume() {
    read -= sum(m -> m.viewReadBytes);
    cpuMicros -= sum(m -> m.viewCpuMicros);
  }

  /** Does so no more. */
  void pause() {
    read += sum(m -> m.viewReadBytes);
    cpuMicros += sum(m -> m.viewCpuMicros);
  }

  /** Flushes, which HBase does in the thread that asks for it. */
  void flush() throws IOException {
    long bytes = table.store().getFlushedOutputFileSize();
    long began = THREADS.getCurrentThreadCpuTime();
    table.region().flush(true);
    flushNanos += THREADS.getCurrentThreadCpuTime() - began;
    bytesFlushed += table.store().getFlushedOutputFileSize() - bytes;
    flushes++;
  }

  /** What was counted, as figures of the report; only while it does not count. */
  Row report(String op) {
    long micros = TimeUnit.NANOSECONDS.toMicros(flushNanos);
    return Row.of("op", op)
        .and("flushes", flushes)
        .and("bytes_flushed", bytesFlushed)
        .and("bytes_read", read)
        .and("cpu_share", Numbers.ratio((double) cpuMicros, (double) micros));
  }

  private long sum(Function<ServerMetrics, Counter> counter) {
    return servers.get().stream()
        .map(s -> s.getRegionServerCoprocessorHost().findCoprocessor(SpyhopRegionServer.class))
        .filter(Objects::nonNull)
        .mapToLong(s -> counter.apply(s.metrics()).getCount())
        .sum();
  }
}
