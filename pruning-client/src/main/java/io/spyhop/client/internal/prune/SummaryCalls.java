package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;

/** Asks regions for their statistics, all regions of a server with one call. Thread-safe. */
@FunctionalInterface
public interface SummaryCalls {
  /**
   * Asks.
   *
   * @param have what the client has of a region
   * @return one answer a region, in the order given; empty where a region did not answer
   * @throws IOException if nothing could be asked at all
   */
  List<RegionAnswer<SummaryAnswer>> ask(
      List<HRegionLocation> regions, Function<HRegionLocation, SummaryRequest> have)
      throws IOException;
}
