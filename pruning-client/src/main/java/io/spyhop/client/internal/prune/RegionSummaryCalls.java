package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.client.internal.admin.RegionCalls;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;

/** Asks the regions of a table in one multi-get, and their servers in one Get. Thread-safe. */
final class RegionSummaryCalls implements SummaryCalls, DigestCalls {
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

  @Override
  public Optional<DigestAnswer> ask(HRegionLocation region, DigestRequest request)
      throws IOException {
    byte[] digest = request.encode();
    List<RegionAnswer<Optional<DigestAnswer>>> answers =
        calls.ask(
            table,
            List.of(region),
            request(SummaryRequest.first()),
            get -> get.setAttribute(Attributes.DIGEST, digest),
            timeout,
            bytes -> {
              counters.bytesReceived.add(bytes.length);
              return DigestAnswer.decode(bytes);
            });
    counters.bytesSent.add(digest.length);
    return answers.get(0).answer().flatMap(a -> a);
  }

  private RegionRequest request(SummaryRequest have) {
    RegionRequest request = have.toRegionRequest();
    counters.bytesSent.add(request.payload().length);
    return request;
  }
}
