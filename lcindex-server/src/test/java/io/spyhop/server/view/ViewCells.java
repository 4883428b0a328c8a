package io.spyhop.server.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** Cells at random, of which many are alike. */
final class ViewCells {
  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final KeyValue.Type[] TYPES = {
    KeyValue.Type.Put,
    KeyValue.Type.Put,
    KeyValue.Type.Put,
    KeyValue.Type.Delete,
    KeyValue.Type.DeleteColumn,
    KeyValue.Type.DeleteFamily,
    KeyValue.Type.DeleteFamilyVersion
  };

  private final Random random;
  private final int rows;
  private int made;

  /** Fewer rows make for more versions. */
  ViewCells(long seed) {
    random = new Random(seed);
    rows = 1 + random.nextInt(random.nextBoolean() ? 5 : 500);
  }

  List<List<Cell>> runs(int count, int mostCells) {
    List<List<Cell>> runs = new ArrayList<>();
    for (int r = 0; r < count; r++) {
      runs.add(run(random.nextInt(5) == 0 ? 0 : random.nextInt(mostCells + 1)));
    }
    return runs;
  }

  List<Cell> run(int count) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cells.add(cell());
    }
    cells.sort(CellComparator.getInstance());
    return cells;
  }

  Cell cell() {
    KeyValue.Type type = TYPES[random.nextInt(TYPES.length)];
    boolean family =
        type == KeyValue.Type.DeleteFamily || type == KeyValue.Type.DeleteFamilyVersion;
    KeyValue cell =
        new KeyValue(
            row(),
            FAMILY,
            family ? new byte[0] : qualifier(),
            random.nextInt(3),
            type,
            Bytes.toBytes(made++));
    cell.setSequenceId(random.nextInt(3));
    return cell;
  }

  private byte[] row() {
    String row = Integer.toString(random.nextInt(rows), 7);
    return Bytes.toBytes(random.nextInt(4) == 0 ? row + "\0" : row);
  }

  private byte[] qualifier() {
    return Bytes.toBytes("q".repeat(random.nextInt(3)) + (char) ('a' + random.nextInt(2)));
  }

  /** A key to look for: a cell's, or what HBase makes of one to skip the rest of something. */
  Cell key() {
    return key(cell());
  }

  Cell key(Cell cell) {
    switch (random.nextInt(5)) {
      case 0:
        return PrivateCellUtil.createFirstOnRow(cell);
      case 1:
        return PrivateCellUtil.createLastOnRow(cell);
      case 2:
        return PrivateCellUtil.createFirstOnRowCol(cell);
      case 3:
        return PrivateCellUtil.createLastOnRowCol(cell);
      default:
        return cell;
    }
  }

  int below(int bound) {
    return random.nextInt(bound);
  }
}
