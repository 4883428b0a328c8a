package io.spyhop.server.index.global;

import io.spyhop.core.io.IoConsumer;
import io.spyhop.server.index.LoadedRows.Visitor;
import io.spyhop.server.memory.UnshippedBytes;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Pair;

/** The rows of HFiles that are about to be loaded into a region. Stateless. */
final class BulkRows {
  private BulkRows() {}

  static void read(HRegion region, List<Pair<byte[], String>> files, Visitor visitor)
      throws IOException {
    Configuration conf = region.getReadOnlyConfiguration();
    for (Pair<byte[], String> each : files) {
      Path file = new Path(each.getSecond());
      try (FileSystem fs = BulkEntries.loadersView(file, conf)) {
        FileIdentity.read(
            fs,
            file,
            conf,
            (reader, scanner, hash) -> {
              read(scanner, row -> visitor.row(file, row));
              return false;
            });
      }
    }
  }

  private static void read(HFileScanner scanner, IoConsumer<byte[]> rows) throws IOException {
    byte[] last = null;
    UnshippedBytes unshipped = new UnshippedBytes();
    for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
      Cell cell = scanner.getCell();
      if (last == null || !CellUtil.matchingRows(cell, last)) {
        last = CellUtil.cloneRow(cell);
        rows.accept(last);
      }
      if (unshipped.add(cell)) {
        scanner.shipped();
      }
    }
  }
}
