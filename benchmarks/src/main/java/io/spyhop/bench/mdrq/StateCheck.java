package io.spyhop.bench.mdrq;

import io.spyhop.bench.mdrq.Servers.Contents;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/** Sees to it that tables are in the state that they are measured in. Stateless. */
final class StateCheck {
  private StateCheck() {}

  /**
   * Fails if a table is not as a load leaves it.
   *
   * @param cells how many cells the load leaves in memstores
   * @throws IOException that says what is different
   */
  static void require(TableName table, Load load, List<Contents> regions, long cells)
      throws IOException {
    for (Contents region : regions) {
      boolean asLeft =
          load.kept() ? region.hfiles() == load.flushes() : region.hfiles() >= load.flushes();
      if (!asLeft) {
        throw new IOException(
            lost(
                table,
                "region "
                    + region.name()
                    + " has "
                    + region.hfiles()
                    + " HFiles, not "
                    + load.flushes()));
      }
    }
    long found = regions.stream().mapToLong(Contents::memstoreCells).sum();
    if (found != cells) {
      throw new IOException(lost(table, found + " cells are in memstores, not " + cells));
    }
  }

  private static String lost(TableName table, String what) {
    return "table '"
        + table
        + "' is not in the state to be measured: "
        + what
        + "; probably memstores were flushed because memory is short: ask for fewer --rows, or set"
        + " SPYHOP_JAVA_OPTS=-Xmx...";
  }
}
