package io.spyhop.bench.dynahash;

import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.client.internal.admin.RegionCalls;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The index files of a table, as its regions tell.
 *
 * @param bytes of each region's, for each server
 * @param missing how many HFiles have none; a region that does not know of its index yet counts as
 *     one
 */
record IndexFiles(Map<ServerName, List<Long>> bytes, long missing) {
  /**
   * Asks all regions.
   *
   * @throws IOException if one does not answer
   */
  static IndexFiles of(Connection connection, TableName table) throws IOException {
    List<RegionAnswer<RegionStatus>> answers =
        new RegionCalls(connection)
            .ask(table, RegionRequest.of(RegionRequest.Kind.STATUS), RegionStatus::decode);
    Map<ServerName, List<Long>> bytes = new HashMap<>();
    long missing = 0;
    for (RegionAnswer<RegionStatus> answer : answers) {
      RegionStatus status =
          answer
              .answer()
              .orElseThrow(
                  () -> new IOException("region " + answer.region() + ": " + answer.failure()));
      Optional<IndexState> index =
          status.indexes().stream().filter(i -> i.index().equals(Rows.INDEX)).findFirst();
      missing += index.map(i -> (long) i.files() - i.covered()).orElse(1L);
      bytes
          .computeIfAbsent(answer.location().getServerName(), s -> new ArrayList<>())
          .add(index.map(IndexState::ifileBytes).orElse(0L));
    }
    return new IndexFiles(bytes, missing);
  }

  /** The bytes of all. */
  long total() {
    return bytes.values().stream().flatMap(List::stream).mapToLong(Long::longValue).sum();
  }
}
