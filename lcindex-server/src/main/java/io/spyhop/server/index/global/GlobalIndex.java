package io.spyhop.server.index.global;

import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexDefinition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.TableName;

/** One global index that a region keeps, and whether the region is built. Thread-safe. */
final class GlobalIndex {
  private final IndexDefinition definition;
  private final TableName table;
  private final boolean fromStart;
  private final Lock building = new ReentrantLock();
  private volatile boolean built;
  private volatile boolean forsaken;
  private volatile String failure = "";

  /**
   * @param fromStart whether all that was written since the region opened has its entries
   */
  GlobalIndex(IndexDefinition definition, TableName table, boolean fromStart) {
    this.definition = definition;
    this.table = table;
    this.fromStart = fromStart;
  }

  /** Whether the region has kept it ever since it opened. */
  boolean isFromStart() {
    return fromStart;
  }

  IndexDefinition definition() {
    return definition;
  }

  /** The index table. */
  TableName table() {
    return table;
  }

  boolean isBuilt() {
    return built;
  }

  void built() {
    built = true;
    failure = "";
  }

  /** Held by who builds it. */
  Lock building() {
    return building;
  }

  /** The index table does not say so any more. */
  void notBuilt() {
    built = false;
  }

  /** Whether it is the same index in the same table, however it is kept. */
  boolean isLike(GlobalIndex other) {
    return table.equals(other.table) && definition.incarnation() == other.definition.incarnation();
  }

  /** The region keeps it no more, and is marked in its table no more. */
  void forsaken() {
    forsaken = true;
  }

  boolean isForsaken() {
    return forsaken;
  }

  void failed(Exception why) {
    failure = why.toString();
  }

  /** That writes fail, and what to do about it: why they do is not always told. */
  String unwritable() {
    return "index '"
        + definition.name()
        + "' cannot be written, see its table '"
        + table
        + "' (if it is disabled, enable it, or rebuild the index: spyhop index rebuild)";
  }

  @Override
  public String toString() {
    return definition.name();
  }

  /**
   * How far the index is: the region counts as one file, covered if it is built.
   *
   * @param waiting repairs of the region
   * @param repairedUpTo when the last of what has been repaired was found
   */
  IndexState state(int waiting, long repairedUpTo) {
    return IndexState.ofGlobal(definition, built, waiting, repairedUpTo, failure);
  }
}
