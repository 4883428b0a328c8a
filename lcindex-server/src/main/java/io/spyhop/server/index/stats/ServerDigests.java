package io.spyhop.server.index.stats;

import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;

/** The digests of all tables with regions on this server. Thread-safe. */
public final class ServerDigests {
  private final Map<TableName, TableDigest> tables = new ConcurrentHashMap<>();

  /** A region has opened. */
  void opened(TableName table, RegionStatistics region) {
    tables.compute(
        table,
        (t, known) -> {
          TableDigest digest = known == null ? new TableDigest() : known;
          digest.add(region);
          return digest;
        });
  }

  /** A region has closed. May come twice, or for one that has not opened. */
  void closed(TableName table, RegionStatistics region) {
    tables.computeIfPresent(
        table,
        (t, digest) -> {
          digest.remove(region);
          return digest.isEmpty() ? null : digest;
        });
  }

  /** What a client that may read a whole table is told of its regions here. */
  DigestAnswer answer(TableName table, DigestRequest request) {
    TableDigest digest = tables.get(table);
    return (digest == null ? new TableDigest() : digest).answer(request);
  }
}
