package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueKey;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.mob.MobUtils;

/** Derives index entries from cells of an indexed column. Stateless. */
final class CellEntries {
  private CellEntries() {}

  /** The entry of a put cell, or null: undecodable values, and those in MOB files, have none. */
  static Entry of(IndexDefinition index, Cell cell) {
    if (isElsewhere(cell)) {
      return null;
    }
    ValueKey key = key(index, cell);
    return key == null
        ? null
        : new Entry(key.bytes(), CellUtil.cloneRow(cell), cell.getTimestamp());
  }

  static ValueKey key(IndexDefinition index, Cell cell) {
    return index
        .type()
        .codec()
        .key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }

  /** Whether the value is in a MOB file, and the cell only points at it. */
  static boolean isElsewhere(Cell cell) {
    return cell.getTagsLength() > 0 && MobUtils.isMobReferenceCell(cell);
  }

  /** Whether the cell is seen only by some, or hides only what some see. */
  static boolean isLabelled(Cell cell) {
    return cell.getTagsLength() > 0
        && (PrivateCellUtil.getTag(cell, TagType.VISIBILITY_TAG_TYPE).isPresent()
            || PrivateCellUtil.getTag(cell, TagType.VISIBILITY_EXP_SERIALIZATION_FORMAT_TAG_TYPE)
                .isPresent());
  }
}
