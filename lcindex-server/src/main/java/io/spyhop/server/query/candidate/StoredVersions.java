package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.memory.ReadBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * All versions of a row's column, those too that others hide; HBase shows them of whole families
 * alone. Stateless.
 */
public final class StoredVersions {
  private static final int BATCH = 100;

  private StoredVersions() {}

  /** Whether all values that decode have one key; what is written meanwhile counts, too. */
  public static boolean haveKey(HRegion region, BoundColumn column, byte[] row, byte[] key)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(row)
            .withStopRow(row, true)
            .addFamily(column.name().family())
            .setRaw(true)
            .readAllVersions()
            .setBatch(BATCH)
            .setCacheBlocks(false);
    List<Cell> cells = new ArrayList<>();
    ReadBlocks blocks = new ReadBlocks();
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more;
      do {
        cells.clear();
        more = scanner.nextRaw(cells, blocks.context());
        if (cells.stream().anyMatch(c -> isOther(c, column, key))) {
          return false;
        }
        blocks.letGo(scanner);
      } while (more);
    }
    return true;
  }

  private static boolean isOther(Cell cell, BoundColumn column, byte[] key) {
    if (!CellUtil.isPut(cell) || !column.name().matches(cell)) {
      return false;
    }
    ValueKey of =
        column
            .type()
            .codec()
            .key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    return of != null && !Arrays.equals(of.bytes(), key);
  }
}
