package io.spyhop.server.model;

import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs random histories and checks after each step; a history that fails is shortened to a few
 * steps that still fail.
 */
final class ModelCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ModelCheck.class);
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static final int SHRINK_RUNS = 60;
  private static final int AUDIT_EVERY = 5;
  private static final boolean ONE_EACH = "one".equals(System.getProperty("spyhop.checks"));

  private final TestCluster cluster;
  private final long seed;
  private final Optional<BucketOptions> buckets;
  private long answersThroughGlobal;
  private long regionsPruned;
  private long answersInOrder;
  private long asynchronous;
  private long aggregatesOfRegions;
  private long rowsOfBuckets;
  private long ordersRefused;

  /**
   * @param buckets which tables have some; those of a cluster that checks access have none
   */
  ModelCheck(TestCluster cluster, long seed, ModelBuckets.Share buckets) {
    this.cluster = cluster;
    this.seed = seed;
    this.buckets = cluster.isSecured() ? Optional.empty() : buckets.draw(seed);
  }

  /** How often each kind of check is done in so many steps. */
  static int checked(int steps) {
    return ONE_EACH ? steps / Kind.values().length : steps;
  }

  /** A history of so many steps. */
  static List<Operation> history(long seed, int steps) {
    Random r = new Random(seed);
    List<Operation> history = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      history.add(new Operation(Operation.Kind.draw(r), r.nextLong()));
    }
    return history;
  }

  /** Runs a history; an error tells the seed and the shortened history. */
  void run(List<Operation> history) throws IOException {
    LOG.warn("Model check: seed {}, {} steps", seed, history.size());
    Failure failure = attempt(history);
    if (failure == null) {
      return;
    }
    LOG.error("Seed {} fails at step {}, is shortened", seed, failure.step, failure.error);
    List<Operation> shortest = shrink(new ArrayList<>(history.subList(0, failure.step + 1)));
    Failure last = attempt(shortest);
    throw new AssertionError(
        "seed "
            + seed
            + ", step "
            + failure.step
            + "; shortened to "
            + shortest
            + "\n"
            + (last == null ? failure.error : last.error).getMessage(),
        failure.error);
  }

  /** A check after a step; each kind has numbers of its own. */
  private enum Kind {
    CHECK(0x5eed),
    CHECK_BUCKETS(0xb0c7),
    CHECK_ORDERED(0x0de5),
    CHECK_AGGREGATES(0xa667),
    CHECK_GLOBAL(0x910b),
    CHECK_PRUNED(0x9121);

    private final int salt;

    Kind(int salt) {
      this.salt = salt;
    }

    static List<Kind> after(Operation o) {
      List<Kind> all = List.of(values());
      return ONE_EACH ? List.of(all.get(Math.floorMod(o.seed(), all.size()))) : all;
    }

    Random random(Operation after) {
      return new Random(after.seed() ^ salt);
    }
  }

  private interface Check {
    void check(Random random) throws IOException;
  }

  private record Failure(int step, AssertionError error) {}

  private Failure attempt(List<Operation> history) throws IOException {
    TableName name = TableName.valueOf("model" + TABLES.incrementAndGet());
    try (ModelTable table = new ModelTable(cluster, name, new Random(seed), buckets);
        PruneChecker pruned = new PruneChecker(table, Checker.resolver(), seed);
        OrderChecker ordered = new OrderChecker(table);
        BucketChecker bucketed = new BucketChecker(table);
        AggregateChecker aggregated = new AggregateChecker(table)) {
      LOG.warn("Seed {}, {}: {}", seed, table.isTidy() ? "tidy" : "untidy", table.descriptor());
      Checker checker = new Checker(table);
      GlobalChecker globals = new GlobalChecker(table);
      Map<Kind, Check> checks = new EnumMap<>(Kind.class);
      checks.put(Kind.CHECK, checker::check);
      checks.put(Kind.CHECK_BUCKETS, bucketed::check);
      checks.put(Kind.CHECK_ORDERED, ordered::check);
      checks.put(Kind.CHECK_AGGREGATES, aggregated::check);
      checks.put(Kind.CHECK_GLOBAL, globals::check);
      checks.put(Kind.CHECK_PRUNED, pruned::check);
      EntryAudit audit = new EntryAudit(table);
      long defects = cluster.defects();
      long damaged = damaged();
      StepTimes times = new StepTimes();
      for (int i = 0; i < history.size(); i++) {
        Operation o = history.get(i);
        try {
          times.time(o.kind().name(), () -> table.apply(o));
          for (Kind kind : Kind.after(o)) {
            times.time(kind.name(), () -> checks.get(kind).check(kind.random(o)));
          }
          if (i % AUDIT_EVERY == 0) {
            table.settle();
            times.time("AUDIT", audit::requireNoneMissing);
          }
          if (cluster.defects() > defects) {
            throw new AssertionError("a query met a defect and went on as a scan: see the log");
          }
          if (damaged() > damaged) {
            throw new AssertionError("index files were taken for damaged: see the log");
          }
        } catch (IOException | RuntimeException e) {
          throw new AssertionError("seed " + seed + ", step " + i + ", " + o + ": " + e, e);
        } catch (AssertionError e) {
          return new Failure(i, new AssertionError("after " + o + ": " + e.getMessage(), e));
        }
      }
      Failure atTheEnd = settle(history, table, audit);
      if (atTheEnd != null) {
        return atTheEnd;
      }
      LOG.warn("Seed {}: {}", seed, table.held());
      LOG.warn("Seed {}: {} scans went on when cells had expired", seed, table.expiredAmid());
      LOG.warn(
          "The cluster's limited scans that an index took over so far: {}",
          table.cluster().sum(m -> m.scansTakenOver));
      LOG.warn("Seed {}: {}; {} entries audited", seed, globals, audit.audited());
      LOG.warn("Seed {}: {}", seed, pruned);
      LOG.warn("Seed {}: {}", seed, ordered);
      LOG.warn("Seed {}: {}", seed, bucketed);
      LOG.warn("Seed {}: {}", seed, aggregated);
      answersThroughGlobal += globals.through();
      regionsPruned += pruned.regionsPruned();
      answersInOrder += ordered.inOrder();
      asynchronous += ordered.asynchronous();
      aggregatesOfRegions += aggregated.byRegions();
      rowsOfBuckets += bucketed.rows();
      ordersRefused += ordered.refused();
      LOG.warn(
          "Seed {}: {} answers compared, {} rows, {} index files streamed, {} merged, {} rebuilt, {}"
              + " fetched",
          seed,
          checker.checked(),
          checker.rows(),
          cluster.sum(m -> m.streamedFiles),
          cluster.sum(m -> m.mergedFiles),
          cluster.sum(m -> m.rebuiltFiles),
          cluster.sum(m -> m.fetchedFiles));
      LOG.warn("Seed {}: steps and checks: {}", seed, times);
      if (history.size() > 50 && checker.rows() == 0) {
        return new Failure(history.size() - 1, new AssertionError("no answer had any row"));
      }
      return null;
    }
  }

  /** Queries that went on as a scan because index files did not hold what they should. */
  private long damaged() {
    return cluster.sum(m -> m.fallbacks(Fallback.DAMAGED));
  }

  /** What holds when all is done: each cell has its entry, and each entry its cell. */
  private Failure settle(List<Operation> history, ModelTable table, EntryAudit audit)
      throws IOException {
    try {
      table.settle();
      audit.requireNoneMissing();
      table.globals().settle(table.isTidy());
      audit.requireNoneMissing();
      audit.requireNoneDangling();
      Awaitility.await("files in the making to be gone")
          .atMost(Duration.ofMinutes(1))
          .until(() -> cluster.sum(m -> m.streams) == 0);
      return null;
    } catch (AssertionError e) {
      return new Failure(
          history.size() - 1, new AssertionError("at the end: " + e.getMessage(), e));
    }
  }

  /** Answers that are known to have come from a global index. */
  long answersThroughGlobal() {
    return answersThroughGlobal;
  }

  /** How many aggregates regions computed alone. */
  long aggregatesOfRegions() {
    return aggregatesOfRegions;
  }

  /** Queries that were read asynchronously or ended on the way, whichever are fewer. */
  long asynchronous() {
    return asynchronous;
  }

  /** Regions' answers in the order of values. */
  long answersInOrder() {
    return answersInOrder;
  }

  /** Whether the table has buckets. */
  boolean hasBuckets() {
    return buckets.isPresent();
  }

  /** Rows of answers that were compared with the stored rows of buckets. */
  long rowsOfBuckets() {
    return rowsOfBuckets;
  }

  /** Regions that left it to the client to sort by value. */
  long ordersRefused() {
    return ordersRefused;
  }

  /** Regions that pruned queries left out. */
  long regionsPruned() {
    return regionsPruned;
  }

  /** A history that HBase itself refuses does not show the failure that is looked for. */
  private Failure attemptShorter(List<Operation> history) {
    try {
      return attempt(history);
    } catch (IOException | AssertionError e) {
      LOG.warn("Seed {}: a shorter history cannot be run", seed, e);
      return null;
    }
  }

  /** Takes out halves, quarters, ... of the history as long as what is left still fails. */
  private List<Operation> shrink(List<Operation> history) throws IOException {
    List<Operation> best = history;
    int runs = 0;
    for (int chunk = best.size() / 2; chunk >= 1; chunk /= 2) {
      for (int at = 0; at + chunk <= best.size() && runs < SHRINK_RUNS; ) {
        List<Operation> shorter = new ArrayList<>(best);
        shorter.subList(at, at + chunk).clear();
        Failure f = attemptShorter(shorter);
        runs++;
        if (f == null) {
          at += chunk;
        } else {
          best = new ArrayList<>(shorter.subList(0, f.step + 1));
        }
      }
    }
    return best;
  }
}
