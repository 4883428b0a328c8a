package io.spyhop.bench.deli;

import io.spyhop.core.schema.Repair;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/** A time at which obsolete entries are looked for, relative to a compaction. */
enum CompactionMode {
  /** Never: the ideal case. */
  NONE(Repair.OFF),
  /** In the cells that the compaction reads. */
  STREAMING(Repair.STREAMING),
  /** In the file that the compaction has written, which is read once more. */
  STAGED(Repair.STAGED),
  /** In the files before they are merged: the paper's baseline. */
  BEFORE(Repair.STREAMING);

  private final Repair repair;

  CompactionMode(Repair repair) {
    this.repair = repair;
  }

  Repair repair() {
    return repair;
  }

  /** As reports have it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The table of a repetition. */
  TableName table(String repetition) {
    return TableName.valueOf("deli_" + text() + "_" + repetition);
  }
}
