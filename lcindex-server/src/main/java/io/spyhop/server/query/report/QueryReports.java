package io.spyhop.server.query.report;

import io.spyhop.core.protocol.RegionPlan;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reports of the last queries of a region, kept until the client asks for them. Thread-safe,
 * bounded.
 */
public final class QueryReports {
  private static final int KEPT = 64;
  private static final int MAX_ID = 64;

  private final Map<ByteBuffer, RegionPlan> reports =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, RegionPlan> eldest) {
          return size() > KEPT;
        }
      };

  /** Keeps a report under a client's identifier. */
  public synchronized void put(byte[] id, RegionPlan report) {
    if (id.length <= MAX_ID) {
      reports.put(ByteBuffer.wrap(id.clone()), report);
    }
  }

  /** The report, if not yet forgotten. */
  public synchronized Optional<RegionPlan> get(byte[] id) {
    return Optional.ofNullable(reports.get(ByteBuffer.wrap(id)));
  }
}
