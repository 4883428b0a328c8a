package io.spyhop.server.global;

import org.apache.hadoop.hbase.Cell;

/** What the value of an entry's cell says (docs/formats/index-table.md). Stateless. */
final class EntryFlags {
  /** The base cell carries a visibility label: not everybody may know of it. */
  static final byte LABELLED = 0x01;

  private EntryFlags() {}

  static boolean isLabelled(Cell entry) {
    return entry.getValueLength() > 0
        && (entry.getValueArray()[entry.getValueOffset()] & LABELLED) != 0;
  }
}
