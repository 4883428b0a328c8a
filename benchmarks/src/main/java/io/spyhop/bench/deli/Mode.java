package io.spyhop.bench.deli;

import io.spyhop.core.schema.Maintenance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/** A way to keep a table's index. */
enum Mode {
  /** There is none. */
  NONE(null),
  /** DELI: writes only add. */
  DEFERRED(Maintenance.DEFERRED),
  /** Update in place: writes read the old value and delete its entry. */
  SYNC(Maintenance.SYNC);

  private final Maintenance maintenance;

  Mode(Maintenance maintenance) {
    this.maintenance = maintenance;
  }

  boolean isIndexed() {
    return maintenance != null;
  }

  Maintenance maintenance() {
    return maintenance;
  }

  /** Its name in reports. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The table that is kept like this. */
  TableName table() {
    return TableName.valueOf("deli_" + text());
  }

  /** In this order in even rounds, the other way round in odd ones: A B C, C B A and so on. */
  static List<Mode> inTurn(List<Mode> modes, int round) {
    List<Mode> turn = new ArrayList<>(modes);
    if (round % 2 == 1) {
      Collections.reverse(turn);
    }
    return turn;
  }
}
