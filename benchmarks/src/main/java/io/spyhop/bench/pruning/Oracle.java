package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Knows which regions hold rows that scans find, from a plain scan of the whole table whose rows
 * are compared here: nothing of Spyhop has a part in it. Immutable.
 */
final class Oracle {
  private static final int CACHING = 1_000;

  private final Map<TableScan, RegionMatches> matches;

  private Oracle(Map<TableScan, RegionMatches> matches) {
    this.matches = matches;
  }

  /** Reads the tables of the scans, each once. */
  static Oracle ask(Connection connection, Dataset data, Collection<TableScan> scans)
      throws IOException {
    Map<TableScan, RegionMatches> matches = new HashMap<>();
    for (TpcdsTable table : TpcdsTable.values()) {
      List<TableScan> ofTable = scans.stream().filter(s -> s.table() == table).distinct().toList();
      if (!ofTable.isEmpty()) {
        matches.putAll(read(connection, data.name(table), table, ofTable));
      }
    }
    return new Oracle(Map.copyOf(matches));
  }

  private static Map<TableScan, RegionMatches> read(
      Connection connection, TableName name, TpcdsTable table, List<TableScan> scans)
      throws IOException {
    List<byte[]> startKeys;
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      startKeys =
          locator.getAllRegionLocations().stream()
              .map(HRegionLocation::getRegion)
              .map(r -> r.getStartKey())
              .toList();
    }
    Map<TableScan, RegionMatches> matches = new HashMap<>();
    scans.forEach(s -> matches.put(s, new RegionMatches(s, startKeys)));
    Scan all = new Scan().setCaching(CACHING);
    table.statisticsColumns().keySet().forEach(c -> all.addColumn(TpcdsTable.FAMILY, bytes(c)));
    try (Table read = connection.getTable(name);
        ResultScanner rows = read.getScanner(all)) {
      for (Result row : rows) {
        matches
            .values()
            .forEach(m -> m.row(row.getRow(), c -> row.getValue(TpcdsTable.FAMILY, bytes(c))));
      }
    }
    return matches;
  }

  private static byte[] bytes(String column) {
    return Bytes.toBytes(column);
  }

  /** How many regions a query must read, over all its tables. */
  int regions(List<TableScan> query) {
    return query.stream().mapToInt(s -> of(s).regions()).sum();
  }

  /** How many rows a scan finds. */
  long rows(TableScan scan) {
    return of(scan).rows();
  }

  private RegionMatches of(TableScan scan) {
    RegionMatches found = matches.get(scan);
    if (found == null) {
      throw new IllegalArgumentException("nobody asked for " + scan);
    }
    return found;
  }
}
