package io.spyhop.server.index.global;

import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexDefinition;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** One global index that a region keeps, and whether the region is built. Thread-safe. */
final class GlobalIndex {
  private static final long REMEMBERED_MILLIS = TimeUnit.MINUTES.toMillis(2);
  private static final long DOUBT_MILLIS = 1_000;

  private final IndexDefinition definition;
  private final TableName table;
  private volatile boolean fromStart;
  private final Lock building = new ReentrantLock();
  private final BuildCount count = new BuildCount(System::nanoTime);
  private volatile boolean built;
  private volatile boolean forsaken;
  private volatile String failure = "";
  private volatile Unwritten unwritten;

  /** When it was last worth to look why writes fail; guarded by this. */
  private long doubted;

  /**
   * The last write of the base table that was refused for this index's sake.
   *
   * @param at when, of {@link EnvironmentEdgeManager}
   */
  private record Unwritten(long at, String why) {}

  /**
   * @param fromStart whether all that was written since the region opened has its entries
   */
  GlobalIndex(IndexDefinition definition, TableName table, boolean fromStart) {
    this.definition = definition;
    this.table = table;
    this.fromStart = fromStart;
  }

  /** Whether the region has kept it ever since it opened, and nothing is lacking. */
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

  /** Something is written that has no entries. */
  void lacks() {
    fromStart = false;
    notBuilt();
  }

  /** Held by who builds it. */
  Lock building() {
    return building;
  }

  /** What is read to build it. */
  BuildCount count() {
    return count;
  }

  /** The index table does not say so any more. */
  void notBuilt() {
    built = false;
    count.reset();
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
    failed(why.toString());
  }

  void failed(String why) {
    failure = why;
  }

  /** A write of the base table is refused, as the index table took none. */
  void unwritten(Exception why) {
    unwritten = new Unwritten(EnvironmentEdgeManager.currentTime(), why.toString());
  }

  /**
   * A write has failed as if the index were dropped.
   *
   * @return whether it is the first for a while, so that it pays to look
   */
  synchronized boolean isNewlyDoubted() {
    long now = EnvironmentEdgeManager.currentTime();
    boolean first = now - doubted >= DOUBT_MILLIS || now < doubted;
    if (first) {
      doubted = now;
    }
    return first;
  }

  /** The index table takes writes. */
  void written() {
    if (unwritten != null) {
      unwritten = null;
    }
  }

  /** Of a failure without a write since, nobody knows whether it lasts. */
  private String failure() {
    Unwritten last = unwritten;
    if (last == null || EnvironmentEdgeManager.currentTime() - last.at > REMEMBERED_MILLIS) {
      return failure;
    }
    return "writes of the base table are refused: " + unwritable() + ": " + last.why;
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
   * @param bytes of the region in the indexed family
   * @param waiting repairs of the region
   * @param repairedUpTo when the last of what has been repaired was found
   */
  IndexState state(long bytes, int waiting, long repairedUpTo) {
    boolean whole = built;
    return IndexState.ofGlobal(
        definition, whole, count.of(whole, bytes), waiting, repairedUpTo, failure());
  }
}
