package io.spyhop.server.index.global;

import io.spyhop.core.io.IoFunction;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.runtime.Complaints;
import io.spyhop.server.runtime.Turns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the recurring work for all regions of base tables that are open here. However many regions
 * ask for it, each pass is made once and asks each index table once: a table that gives no answer
 * holds up the others for one question (correctness rule 40). Thread-safe.
 */
final class RegionPasses {
  private static final Logger LOG = LoggerFactory.getLogger(RegionPasses.class);

  /** Threads that the passes need of who builds. */
  static final int BUILD_THREADS = 3;

  /** Threads that the passes need of who looks. */
  static final int LOOK_THREADS = 3;

  private final ScheduledExecutorService builds;
  private final ScheduledExecutorService looks;
  private final IoFunction<TableName, ControlNotes> tables;
  private final Complaints complaints;
  private final Coalesced marking;
  private final Coalesced building;
  private final Coalesced doubting;
  private final Turns<Region> built = new Turns<>(Object::hashCode);
  private final Turns<Region> looked = new Turns<>(r -> r.table().hashCode());
  private final Set<Region> doubted = ConcurrentHashMap.newKeySet();

  /** One region. */
  interface Region {
    /** Notes that the region is open here where that is not noted yet; quick. */
    void mark(PassNotes notes) throws IOException;

    /**
     * Builds what is not built.
     *
     * @return whether nothing is left to be built
     */
    boolean build(PassNotes notes) throws IOException;

    /**
     * Looks whether all that is taken for built still is.
     *
     * @return whether nothing is in doubt
     */
    boolean look(PassNotes notes) throws IOException;

    /** The base table. */
    TableName table();
  }

  /** An action on a region. */
  @FunctionalInterface
  private interface Step {
    void run(Region region, PassNotes notes) throws IOException;
  }

  /**
   * @param builds does what may take hours
   * @param looks does what is quick, and must not wait for what is not
   */
  RegionPasses(
      ScheduledExecutorService builds,
      ScheduledExecutorService looks,
      IoFunction<TableName, ControlNotes> tables,
      Complaints complaints) {
    this.builds = builds;
    this.looks = looks;
    this.tables = tables;
    this.complaints = complaints;
    this.marking = new Coalesced(looks, this::markAll, 1);
    this.building = new Coalesced(builds, () -> build(built::forEach), BUILD_THREADS - 1);
    this.doubting = new Coalesced(looks, this::lookAtDoubted, 1);
  }

  /** Begins with what is done now and then. */
  void start(GlobalSettings settings) {
    every(builds, () -> build(built::next), settings.buildMillis());
    every(looks, this::lookAll, settings.lookMillis());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  private static void every(ScheduledExecutorService by, Runnable work, long millis) {
    by.scheduleWithFixedDelay(work, millis, millis, TimeUnit.MILLISECONDS);
  }

  void add(Region region) {
    built.add(region);
    looked.add(region);
  }

  void remove(Region region) {
    built.remove(region);
    looked.remove(region);
    doubted.remove(region);
  }

  /** Looks at what regions have not marked, and later at what they have not built. */
  void openSoon(long markMillis, long buildMillis) {
    marking.soon(markMillis);
    building.soon(buildMillis);
  }

  /** Looks at what regions have not marked and built. */
  void buildSoon() {
    openSoon(0, 0);
  }

  /** Looks soon whether what a region takes for built still is. */
  void lookSoon(Region region) {
    doubted.add(region);
    doubting.soon(0);
  }

  /**
   * Looks soon whether what regions of a table take for built still is.
   *
   * @param changed a base table; empty if it may be any
   */
  void lookSoon(Optional<TableName> changed) {
    looked.forEach(
        r -> {
          if (changed.isEmpty() || r.table().equals(changed.get())) {
            doubted.add(r);
          }
        });
    doubting.soon(0);
  }

  /** Regions that are built, and open newly, are believed as soon as that is noted. */
  private void markAll() {
    pass(built::forEach, "Noting where regions are open", Region::mark);
  }

  private void build(Consumer<Consumer<Region>> some) {
    pass(some, "Building the global indexes", this::build);
  }

  private void build(Region region, PassNotes notes) throws IOException {
    rest(built, region, () -> region.build(notes));
  }

  private void lookAll() {
    pass(looked::next, "Looking at the global indexes", this::look);
  }

  private void lookAtDoubted() {
    List<Region> doubtful = new ArrayList<>(doubted);
    doubtful.forEach(doubted::remove);
    pass(doubtful::forEach, "Looking at the global indexes", this::look);
  }

  private void look(Region region, PassNotes notes) throws IOException {
    rest(looked, region, () -> region.look(notes));
  }

  /** What fails is not at rest. */
  private static void rest(Turns<Region> turns, Region region, IoSupplier<Boolean> work)
      throws IOException {
    boolean atRest = false;
    try {
      atRest = work.get();
    } finally {
      turns.rest(region, atRest);
    }
  }

  /** A periodic task that throws would never run again. */
  private void pass(Consumer<Consumer<Region>> some, String what, Step step) {
    PassNotes notes = new PassNotes(tables, System::nanoTime);
    some.accept(
        r -> {
          try {
            step.run(r, notes);
          } catch (Throwable e) {
            complaints.warn(LOG, what, r.table(), r, e);
          }
        });
  }
}
