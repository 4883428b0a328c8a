package io.spyhop.client.internal.admin;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.core.protocol.ServerHealth.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/** The faults of an index, by its status. Stateless. */
final class IndexFaults {
  /** Repairs that wait longer are late: the grace period is a small part of it. */
  private static final Duration LATE = Duration.ofHours(1);

  private static final String SEE_PAGE = "see docs/operations.md, 'When something goes wrong'";

  private IndexFaults() {}

  /**
   * All that is wrong.
   *
   * @param now milliseconds, about those of the servers
   */
  static List<Trouble> of(TableName table, IndexStatus status, long now) {
    List<Trouble> faults = new ArrayList<>();
    String index = "index '" + status.name() + "'";
    if (status instanceof IndexStatus.Local local && local.regionsAnswered() < local.regions()) {
      faults.add(
          new Trouble(
              index
                  + ": "
                  + (local.regions() - local.regionsAnswered())
                  + " of "
                  + local.regions()
                  + " regions do not serve it",
              "see whether they are open, and on servers with Spyhop"));
    }
    if (status instanceof IndexStatus.Global global) {
      look(index, table, global, now, faults);
    }
    status.errors().forEach(error -> faults.add(new Trouble(index + ": " + error, SEE_PAGE)));
    return faults;
  }

  private static void look(
      String index, TableName table, IndexStatus.Global status, long now, List<Trouble> faults) {
    if (status.state() == State.BUILDING) {
      faults.add(
          new Trouble(
              index + " is BUILDING, and queries do without it: " + status.covers(),
              "wait while the number grows; 'spyhop index status " + table + "' has errors"));
    }
    Duration lag = Duration.ofMillis(now - status.repairedUpTo());
    if (status.repairedUpTo() > 0 && lag.compareTo(LATE) > 0) {
      faults.add(
          new Trouble(
              index
                  + ": its repairs lag "
                  + lag.toMinutes()
                  + " minutes behind, "
                  + status.repairs()
                  + " are not done",
              "see the region servers' logs, and whether its table's regions are online"));
    }
  }
}
