package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.global.repair.PendingList.Source;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Lists of entries that have to wait for a flush of their family: the log may still bring back the
 * cells behind them. They are forgotten if the server is lost. Thread-safe.
 */
final class FlushLists {
  private final RepairLists lists;
  private final LoggedCells logged;
  private final Map<String, RepairListWriter> begun = new HashMap<>();

  FlushLists(RepairLists lists, LoggedCells logged) {
    this.lists = lists;
    this.logged = logged;
  }

  /** The event that a flush has ended which began after a generation. */
  Source flushAfter(String family, long generation) {
    return new Source(family, Set.of(), () -> logged.isOver(family, generation));
  }

  /** Has entries looked at after the next flush. */
  synchronized void add(IndexDefinition index, Collection<Entry> obsolete) {
    String family = Bytes.toString(index.column().family());
    RepairListWriter list = begun.computeIfAbsent(family, f -> lists.newList());
    try {
      for (Entry e : obsolete) {
        list.obsolete(index, e);
      }
    } catch (IOException e) {
      begun.remove(family);
      lost(family, list, e);
    }
  }

  /** Finishes all lists; they wait for a flush that began after a generation. */
  void finish(long generation) {
    Map<String, RepairListWriter> finished;
    synchronized (this) {
      finished = Map.copyOf(begun);
      begun.clear();
    }
    finished.forEach((family, list) -> finish(list, flushAfter(family, generation)));
  }

  private void finish(RepairListWriter list, Source flush) {
    try {
      lists.found(list, flush);
    } catch (IOException e) {
      lost(flush.family(), list, e);
    }
  }

  private void lost(String family, RepairListWriter list, IOException cause) {
    lists.lost(list, "what waits for a flush of family " + family, cause);
  }
}
