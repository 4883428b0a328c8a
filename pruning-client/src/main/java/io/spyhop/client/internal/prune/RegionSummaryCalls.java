package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.client.internal.admin.RegionCalls;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;

/** Asks the regions of a table in one multi-get. Thread-safe. */
final class RegionSummaryCalls implements SummaryCalls {
  private final RegionCalls calls;
  private final TableName table;
  private final Duration timeout;
  private final PruningCounters counters;

  RegionSummaryCalls(
      RegionCalls calls, TableName table, Duration timeout, PruningCounters counters) {
    this.calls = calls;
    this.table = table;
    this.timeout = timeout;
    this.counters = counters;
  }

  @Override
  public List<RegionAnswer<SummaryAnswer>> ask(
      List<HRegionLocation> regions, Function<HRegionLocation, SummaryRequest> have)
      throws IOException {
    return calls.ask(
        table,
        regions,
        region -> request(have.apply(region)),
        timeout,
        bytes -> {
          counters.bytesReceived.add(bytes.length);
          return SummaryAnswer.decode(bytes);
        });
  }

  private RegionRequest request(SummaryRequest have) {
    RegionRequest request = have.toRegionRequest();
    counters.bytesSent.add(request.payload().length);
    return request;
  }
}
