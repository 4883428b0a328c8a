package io.spyhop.server.index;

import java.util.OptionalLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;

/** The lifetime that a cell has of its own, beside its family's. Stateless. */
public final class CellTtl {
  private CellTtl() {}

  /** Milliseconds; empty if there is none. */
  public static OptionalLong of(Cell cell) {
    if (cell.getTagsLength() == 0) {
      return OptionalLong.empty();
    }
    return PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE)
        .map(t -> OptionalLong.of(Tag.getValueAsLong(t)))
        .orElse(OptionalLong.empty());
  }

  /** Whether there is one. */
  public static boolean isIn(Cell cell) {
    return cell.getTagsLength() > 0
        && PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE).isPresent();
  }
}
