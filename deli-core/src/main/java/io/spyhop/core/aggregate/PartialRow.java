package io.spyhop.core.aggregate;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;

/**
 * The row in which a region sends the partial result of an aggregate: one cell in a family with an
 * empty name, which no table has. Stateless.
 */
public final class PartialRow {
  private static final byte[] QUALIFIER = "spyhop:aggregate".getBytes(StandardCharsets.US_ASCII);

  private PartialRow() {}

  /**
   * The cell.
   *
   * @param row the last one that the result is of
   * @param partial the wire form of {@link Groups}
   */
  public static Cell cell(byte[] row, byte[] partial) {
    return new KeyValue(row, HConstants.EMPTY_BYTE_ARRAY, QUALIFIER, 1L, partial);
  }

  /** The wire form of the groups that a row has; empty if it is a row of the table. */
  public static Optional<byte[]> in(Result row) {
    Cell[] cells = row.rawCells();
    return cells.length == 1
            && cells[0].getFamilyLength() == 0
            && CellUtil.matchingQualifier(cells[0], QUALIFIER)
        ? Optional.of(CellUtil.cloneValue(cells[0]))
        : Optional.empty();
  }
}
