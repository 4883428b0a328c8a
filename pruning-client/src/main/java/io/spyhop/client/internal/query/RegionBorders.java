package io.spyhop.client.internal.query;

import io.spyhop.client.internal.admin.RegionCalls;
import io.spyhop.client.internal.admin.TableInfo;
import io.spyhop.client.internal.bucket.BucketScans;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.core.protocol.FirstRows;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The start keys of a table's regions, as far as they are known, or as they are this moment.
 * Thread-safe.
 */
public final class RegionBorders implements BucketScans.Regions {
  /** Regions that do not answer small scans so soon are scanned, which says what is wrong. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Connection connection;
  private final TableName table;
  private final KeySpace known;

  public RegionBorders(Connection connection, TableName table, KeySpace known) {
    this.connection = connection;
    this.table = table;
    this.known = known;
  }

  @Override
  public List<RowRange> cut(RowRanges rows) throws IOException {
    return known.cut(rows);
  }

  @Override
  public List<Optional<FirstRows>> firstRows(List<Scan> scans) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (Scan scan : scans) {
      gets.add(FirstRows.request(scan).toGet(scan.getStartRow()));
    }
    return new RegionCalls(connection).ask(table, gets, PATIENCE, FirstRows::decode);
  }

  @Override
  public List<RowRange> now(RowRange rows) throws IOException {
    return rows.cut(
        TableInfo.regions(connection, table).stream()
            .map(r -> r.getRegion().getStartKey())
            .toList());
  }
}
