package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.VerifyReport;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills region servers again and again while one thread writes and one compares answers through the
 * indexes with the plain scan; in the end nothing may be lost and no index file left over.
 */
final class KillLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KillLoop.class);
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** What was shipped to a server that never got the bucket is kept for ten minutes. */
  private static final Duration ARRIVED = Duration.ofMinutes(12);

  private static final int SERVERS = 3;

  /** The moment at which the server dies. */
  private enum Moment {
    AFTER_SOME_BATCHES,
    WHILE_A_FILE_IS_BUILT,
    WHILE_FLUSHING,
    WHILE_COMPACTING,
    WHILE_COMPARING,
    /** Its client gives up: the entries point at nothing, for ever. */
    BEFORE_THE_CELLS,
    /** Its client does not give up. */
    BEFORE_THE_CELLS_WRITTEN_LATER,
    MASTER_BEFORE_A_COMMIT,
    SOURCE_BEFORE_A_COMMIT,
    DESTINATION_BEFORE_A_COMMIT,
    MASTER_FROM_A_COMMIT_ON,
    SOURCE_FROM_A_COMMIT_ON,
    DESTINATION_FROM_A_COMMIT_ON;

    private static final List<Moment> ANY =
        List.of(
            AFTER_SOME_BATCHES,
            WHILE_A_FILE_IS_BUILT,
            WHILE_FLUSHING,
            WHILE_COMPACTING,
            WHILE_COMPARING);

    private static final List<Moment> AMID_A_WRITE =
        List.of(BEFORE_THE_CELLS, BEFORE_THE_CELLS_WRITTEN_LATER);

    private static final List<Moment> AMID_A_REBALANCE =
        List.of(
            MASTER_BEFORE_A_COMMIT,
            SOURCE_BEFORE_A_COMMIT,
            DESTINATION_BEFORE_A_COMMIT,
            MASTER_FROM_A_COMMIT_ON,
            SOURCE_FROM_A_COMMIT_ON,
            DESTINATION_FROM_A_COMMIT_ON);
  }

  private final long seed;
  private final IndexKind kind;
  private final Random random;
  private final CrashCluster cluster;
  private final CrashTable table;
  private final Writer writer;
  private final Comparison comparison;
  private final DeadlyWrite deadly;
  private final DeadlyMove moving;
  private final boolean buckets;
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final CompletableFuture<Void> writing;
  private final CompletableFuture<Void> comparing;
  private final List<String> story = new ArrayList<>();

  /**
   * @param buckets whether the table has buckets, which are rebalanced amid kills
   */
  KillLoop(long seed, IndexKind kind, boolean buckets) throws Exception {
    this.seed = seed;
    this.kind = kind;
    this.buckets = buckets;
    this.random = new Random(seed);
    this.cluster = new CrashCluster(SERVERS);
    Optional<BucketOptions> options =
        buckets ? Optional.of(BucketOptions.usual(8).withBits(4)) : Optional.empty();
    this.table = new CrashTable(cluster, kind, options);
    this.writer = new Writer(table, seed + 1);
    this.comparison = new Comparison(table, writer, seed + 2);
    this.deadly = new DeadlyWrite(cluster, table, threads, seed + 3);
    this.moving = new DeadlyMove(cluster, table, threads, seed + 4);
    this.writing = CompletableFuture.runAsync(writer, threads);
    this.comparing = CompletableFuture.runAsync(comparison, threads);
    awaitBatches(80);
  }

  /** Kills servers, then checks what is left. */
  void run(int kills) throws Exception {
    for (int i = 0; i < kills; i++) {
      List<Moment> moments = moments();
      killAndRecover(moments.get((i + (int) (seed % moments.size())) % moments.size()));
    }
    comparison.stop();
    comparing.get(300, TimeUnit.SECONDS);
    writer.stop();
    writing.get(300, TimeUnit.SECONDS);
    settle();
    WrittenRows.requireThrough(table, writer.expected());
    if (kind == IndexKind.LOCAL) {
      IndexFilesOnDisk.awaitNoneLeftOver(cluster, table, buckets ? ARRIVED : PATIENCE);
    } else {
      requireNoneMissing();
    }
  }

  private List<Moment> moments() {
    if (buckets) {
      return Moment.AMID_A_REBALANCE;
    }
    return kind == IndexKind.GLOBAL ? Moment.AMID_A_WRITE : Moment.ANY;
  }

  private void requireNoneMissing() throws IOException {
    for (String index : CrashTable.INDEXES) {
      VerifyReport report = table.spyhop().admin().verify(CrashTable.NAME, index, false);
      assertThat(report.missing()).as("missing: %s", report).isZero();
    }
  }

  private void killAndRecover(Moment moment) throws Exception {
    int victim = awaitMoment(moment);
    long conclusive = comparison.conclusive();
    if (Moment.AMID_A_WRITE.contains(moment)) {
      victim = deadly.strike(moment == Moment.BEFORE_THE_CELLS_WRITTEN_LATER);
    } else if (buckets) {
      victim = strike(moment);
    } else {
      cluster.kill9(victim);
    }
    long killed = System.nanoTime();
    boolean noticedFirst = victim != DeadlyMove.MASTER && random.nextInt(3) == 0;
    if (noticedFirst) {
      int gone = victim;
      awaitTrue("the master to notice", () -> !isListed(gone));
    }
    start(victim);
    cluster.awaitServers();
    awaitAnswers();
    long answered = System.nanoTime();
    table.spyhop().admin().waitUntilActive(CrashTable.NAME, PATIENCE);
    long active = System.nanoTime();
    if (Moment.AMID_A_WRITE.contains(moment)) {
      deadly.awaitEnd();
      deadly.requireHarmless();
    }
    if (buckets) {
      moving.awaitEnd();
    } else {
      spread();
    }
    long wanted = conclusive + 20;
    awaitTrue("comparisons", () -> comparison.conclusive() >= wanted);
    story.add(
        String.format(
            "%s: server %d%s, all regions answer after %.1f s, ACTIVE after %.1f s",
            moment,
            victim,
            noticedFirst ? ", started again when its session had expired" : "",
            (answered - killed) / 1e9,
            (active - killed) / 1e9));
    LOG.info("Kill {}: {}", story.size(), story.get(story.size() - 1));
  }

  private void start(int server) throws IOException {
    if (server == DeadlyMove.MASTER) {
      cluster.startMaster();
    } else {
      cluster.start(server);
    }
  }

  private int strike(Moment moment) throws Exception {
    return switch (moment) {
      case MASTER_BEFORE_A_COMMIT -> moving.strike(DeadlyMove.Victim.MASTER, false);
      case SOURCE_BEFORE_A_COMMIT -> moving.strike(DeadlyMove.Victim.SOURCE, false);
      case DESTINATION_BEFORE_A_COMMIT -> moving.strike(DeadlyMove.Victim.DESTINATION, false);
      case MASTER_FROM_A_COMMIT_ON -> moving.strike(DeadlyMove.Victim.MASTER, true);
      case SOURCE_FROM_A_COMMIT_ON -> moving.strike(DeadlyMove.Victim.SOURCE, true);
      case DESTINATION_FROM_A_COMMIT_ON -> moving.strike(DeadlyMove.Victim.DESTINATION, true);
      default -> throw new IllegalArgumentException("nothing is rebalanced " + moment);
    };
  }

  private boolean isListed(int server) {
    try {
      return cluster.isListed(server);
    } catch (IOException e) {
      LOG.info("The master is asked again", e);
      return true;
    }
  }

  /** Waits for the moment and says who is to die. */
  private int awaitMoment(Moment moment) throws IOException {
    awaitBatches(20 + random.nextInt(150));
    int victim = random.nextInt(SERVERS);
    try (Admin admin = cluster.connection().getAdmin()) {
      switch (moment) {
        case WHILE_A_FILE_IS_BUILT:
          admin.majorCompact(CrashTable.NAME);
          return awaitBuild();
        case WHILE_FLUSHING:
          flush();
          return victim;
        case WHILE_COMPACTING:
          admin.majorCompact(CrashTable.NAME);
          awaitBatches(1 + random.nextInt(20));
          return victim;
        case WHILE_COMPARING:
          long begun = comparison.begun();
          awaitTrue("a comparison to begin", () -> comparison.begun() > begun);
          return victim;
        default:
          return victim;
      }
    }
  }

  /** Begins a flush; it may fail with the server that dies. */
  private void flush() {
    CompletableFuture<Void> flush =
        CompletableFuture.runAsync(
            () -> {
              try (Admin admin = cluster.connection().getAdmin()) {
                admin.flush(CrashTable.NAME);
              } catch (IOException e) {
                LOG.info("A flush ends with its server", e);
              }
            });
    long batches = writer.batches() + random.nextInt(3);
    awaitTrue("the flush", () -> flush.isDone() || writer.batches() > batches);
  }

  /** A server that has a temporary file this very moment. */
  private int awaitBuild() {
    int[] found = {-1};
    await("an index file to be built")
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              for (int i = 0; i < SERVERS && found[0] < 0; i++) {
                if (!IndexFilesOnDisk.temporary(cluster, i).isEmpty()) {
                  found[0] = i;
                }
              }
              return found[0] >= 0;
            });
    return found[0];
  }

  private void awaitBatches(int more) {
    long wanted = writer.batches() + more;
    awaitTrue(more + " batches", () -> writer.batches() >= wanted);
  }

  private void awaitTrue(String what, BooleanSupplier condition) {
    await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              requireRunning();
              return condition.getAsBoolean();
            });
  }

  private void requireRunning() {
    if (writing.isCompletedExceptionally()) {
      writing.join();
    }
    if (comparing.isCompletedExceptionally()) {
      comparing.join();
    }
  }

  /** Every region answers a scan. */
  private void awaitAnswers() {
    await("all regions to answer")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              requireRunning();
              table.cells("price < 0", Attributes.PATH_SCAN);
            });
  }

  /** Brings regions to all servers, most of them to where they have been before. */
  private void spread() throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      List<HRegionLocation> regions = table.allLocations();
      for (int i = 0; i < regions.size(); i++) {
        int server = random.nextInt(4) == 0 ? random.nextInt(SERVERS) : i % SERVERS;
        if (!cluster.name(server).equals(regions.get(i).getServerName())) {
          admin.move(regions.get(i).getRegion().getEncodedNameAsBytes(), cluster.name(server));
        }
      }
    }
    awaitAnswers();
  }

  /**
   * Nothing is written any more: one HFile per region, all covered. HBase forgets a major
   * compaction that is asked for while a smaller one runs, so it is asked for again.
   */
  private void settle() throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.flush(CrashTable.NAME);
      admin.majorCompact(CrashTable.NAME);
      await("one HFile in each region")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(3))
          .until(
              () -> {
                boolean single = hasSingleFiles();
                if (!single) {
                  admin.majorCompact(CrashTable.NAME);
                }
                return single;
              });
    }
    table.spyhop().admin().waitUntilActive(CrashTable.NAME, PATIENCE);
  }

  private boolean hasSingleFiles() throws IOException {
    return IndexFilesOnDisk.hfiles(cluster, table).size() == table.locations().size();
  }

  /** What happened. */
  String report() {
    assertThat(comparison.conclusive()).isPositive();
    return String.format(
        "seed %d: %d kills, %d entries of dead writes, %d conclusive comparisons of %d cells, %d"
            + " batches acknowledged (%d tried again), %d comparisons given up, %s%n  %s",
        seed,
        story.size(),
        deadly.dangled(),
        comparison.conclusive(),
        comparison.cells(),
        writer.batches(),
        writer.failures(),
        comparison.failures(),
        moving.report(),
        String.join("\n  ", story));
  }

  @Override
  public void close() throws Exception {
    comparison.stop();
    writer.stop();
    deadly.close();
    cluster.close();
    threads.shutdownNow();
  }
}
