package io.spyhop.server.index.local;

import io.spyhop.core.aggregate.CodedColumn;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowBits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Takes the rows of an HFile out of those that are read of which it is certain that they match, and
 * hands them to a {@link RowSink}. Not thread-safe.
 */
final class CertainRows {
  private final RowSink sink;
  private final ColumnMatcher matcher;
  private int lastBlock = -1;
  private int lastRow;

  CertainRows(RowSink sink, ColumnMatcher matcher) {
    this.sink = sink;
    this.matcher = matcher;
  }

  /**
   * Takes rows of a block out of those that were found.
   *
   * @param atEdge whether the block may have rows that are not the scan's
   */
  void take(MatchedRows matched, boolean atEdge) throws IOException {
    int block = matched.block();
    if (RowBits.isEmpty(matched.found()) || atEdge && !isWithin(block)) {
      return;
    }
    long[] certain = matcher.certain(matched, sink.columns());
    if (RowBits.isEmpty(certain)) {
      return;
    }
    List<CodedColumn> values = new ArrayList<>();
    List<ColumnBlock> blocks = matcher.own().values(sink.columns(), block);
    for (int i = 0; i < blocks.size(); i++) {
      values.add(coded(sink.columns().get(i), blocks.get(i), certain));
    }
    sink.take(certain, values);
    RowBits.andNot(matched.found(), certain);
    lastBlock = block;
    lastRow = RowBits.last(certain);
  }

  private static CodedColumn coded(BoundColumn column, ColumnBlock block, long[] rows) {
    return new Coded(block, column.type().codec(), block.codes(rows));
  }

  private record Coded(ColumnBlock block, ValueCodec codec, long[] codes) implements CodedColumn {
    @Override
    public boolean has(int row) {
      return block.isPresent(row);
    }

    @Override
    public long code(int row) {
      return codes[row];
    }

    @Override
    public byte[] stored(long code) {
      return codec.storedOf(block.key(code));
    }

    @Override
    public Double number(long code) {
      return block.number(code);
    }
  }

  private boolean isWithin(int block) throws IOException {
    int rows = matcher.own().values(block).rows();
    try (PlacedRows placed = matcher.own().rows().placed()) {
      return sink.isInRange(key(placed, block, 0)) && sink.isInRange(key(placed, block, rows - 1));
    }
  }

  /** There are no more blocks. */
  void end() throws IOException {
    if (lastBlock >= 0) {
      try (PlacedRows placed = matcher.own().rows().placed()) {
        sink.upTo(key(placed, lastBlock, lastRow));
      }
    }
  }

  private byte[] key(PlacedRows placed, int block, int row) throws IOException {
    return matcher
        .own()
        .rows()
        .reading(
            () -> {
              Cell cell = placed.at(block, row).cell();
              return CellUtil.cloneRow(cell);
            });
  }
}
