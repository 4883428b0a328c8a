package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.bucket.Rebalance.Move;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.protocol.RebalancePlan;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Moved;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.server.testing.QuickFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rebalances that are stopped, that wait, that are planned, and what they say. */
class RebalanceStopTest {
  private static final Duration STEP = Duration.ofMillis(5);
  private static final List<ServerName> SERVERS = FakeBuckets.servers(4);

  @TempDir private Path directory;
  private RebalanceJournal journal;
  private FakeBuckets cluster;

  @BeforeEach
  void start() throws IOException {
    FileSystem fs = QuickFiles.open();
    journal = new RebalanceJournal(fs, new org.apache.hadoop.fs.Path(directory.toUri().toString()));
    cluster = new FakeBuckets(8, SERVERS);
  }

  private Rebalances master(IoConsumer<String> watch) {
    return new Rebalances(journal, cluster, watch, () -> 1_000);
  }

  private static RebalanceRequest request(TableName table) {
    return new RebalanceRequest(table, UUID.randomUUID(), SERVERS, Duration.ZERO);
  }

  private static void awaitIdle(Rebalances all, TableName table) {
    await().pollInterval(STEP).until(() -> all.isIdle(table));
  }

  /** Stops one at its step of that number; false if it has fewer. */
  private boolean stopAt(int number, RebalanceRequest asked) throws IOException {
    int[] count = {0};
    Rebalances[] all = {null};
    all[0] =
        master(
            step -> {
              if (count[0]++ == number) {
                all[0].stop(asked, "bob");
              }
            });
    try (Rebalances some = all[0]) {
      some.begin(asked, "ann");
      awaitIdle(some, asked.table());
    }
    return count[0] > number;
  }

  /**
   * At no step is anything left half done, and nothing begins by itself before one is asked for.
   */
  @Test
  void stopsBetweenTwoBuckets() throws Exception {
    TableName table = FakeBuckets.TABLE;
    int stops = 0;
    for (int i = 1; ; i++) {
      cluster = new FakeBuckets(8, SERVERS);
      RebalanceRequest asked = request(table);
      if (!stopAt(i, asked)) {
        break;
      }
      RebalanceState state = journal.read(table).orElseThrow();
      if (state.phase() == Phase.DONE) {
        continue; // there was nothing left to stop
      }
      stops++;
      String what = "stopped at step " + i;
      assertThat(state.phase()).as(what).isEqualTo(Phase.STOPPED);
      assertThat(state.note()).as(what).isEqualTo("user 'bob' stopped it");
      assertThat(state.left()).as(what).isEmpty();
      assertThat(state.moves().stream().map(Moved::bucket)).as(what).isEqualTo(cluster.moved);
      assertThat(state.moved()).as(what).isEqualTo(cluster.moved.size());
      assertThat(cluster.held()).as(what).isEmpty();
      try (Rebalances next = master(step -> {})) {
        next.resume();
        next.even("it");
        awaitIdle(next, table);
        assertThat(next.state(table)).as(what).contains(state);
        next.begin(request(table), "ann");
        awaitIdle(next, table);
        assertThat(journal.read(table).orElseThrow().phase()).as(what).isEqualTo(Phase.DONE);
      }
    }
    assertThat(stops).isGreaterThan(20);
  }

  /** A bucket that HBase has not moved yet is looked up before the end. */
  @Test
  void aMoveThatFailsIsSettledBeforeTheEnd() throws Exception {
    RebalanceRequest asked = request(FakeBuckets.TABLE);
    Rebalances[] all = {null};
    boolean[] failed = {false};
    all[0] =
        master(
            step -> {
              if (step.equals("rebalance: committed") && !failed[0]) {
                failed[0] = true;
                all[0].stop(asked, "bob");
                throw new IOException("the move fails");
              }
            });
    try (Rebalances some = all[0]) {
      some.begin(asked, "ann");
      awaitIdle(some, FakeBuckets.TABLE);
    }
    RebalanceState state = journal.read(FakeBuckets.TABLE).orElseThrow();
    assertThat(state.phase()).isEqualTo(Phase.STOPPED);
    assertThat(state.moves()).isEmpty();
    assertThat(cluster.held()).isEmpty();
  }

  @Test
  void anotherOfTheTableIsNotStopped() throws Exception {
    try (Rebalances all = master(step -> {})) {
      RebalanceRequest asked = request(FakeBuckets.TABLE);
      all.begin(asked, "ann");
      assertThat(all.stop(request(FakeBuckets.TABLE), "bob")).isEmpty();
      awaitIdle(all, FakeBuckets.TABLE);
      assertThat(all.stop(asked, "bob").orElseThrow().phase()).as("too late").isEqualTo(Phase.DONE);
    }
  }

  @Test
  void theFifthTableWaitsAndSaysSo() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    List<TableName> tables = new ArrayList<>();
    try (Rebalances all =
        master(
            step -> {
              if (step.equals("rebalance: planned")) {
                awaitUninterrupted(goOn);
              }
            })) {
      for (int i = 0; i < 4; i++) {
        tables.add(TableName.valueOf("table" + i));
        all.begin(request(tables.get(i)), "ann");
      }
      await().until(() -> tables.stream().allMatch(all::isMoving));
      TableName fifth = TableName.valueOf("fifth");
      RebalanceRequest asked = request(fifth);
      all.begin(asked, "ann");
      RebalanceState state = all.state(fifth).orElseThrow();
      assertThat(state.phase()).isEqualTo(Phase.WAITING);
      assertThat(state.note())
          .isEqualTo("it waits for the rebalances of " + tables + ": 4 run side by side");
      assertThat(all.isMoving(fifth)).as("it can be split").isFalse();
      assertThat(all.stop(asked, "bob").orElseThrow().phase()).isEqualTo(Phase.STOPPED);
      for (TableName table : tables) {
        all.forget(table);
      }
      goOn.countDown();
      awaitIdle(all, fifth);
      assertThat(journal.read(fifth).orElseThrow().phase()).isEqualTo(Phase.STOPPED);
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Replicas, drained servers and all. */
  @Test
  void whatIsPlannedIsWhatIsDone() throws Exception {
    cluster.addReplicas();
    cluster.drain(SERVERS.get(3));
    RebalanceRequest asked =
        new RebalanceRequest(
            FakeBuckets.TABLE, UUID.randomUUID(), SERVERS.subList(0, 3), Duration.ZERO);
    List<String> moved = new ArrayList<>();
    try (Rebalances all = master(moved::add)) {
      RebalancePlan plan = all.plan(asked);
      assertThat(plan.buckets()).isNotEmpty();
      assertThat(plan.replicas()).isNotEmpty();
      all.begin(asked, "ann");
      awaitIdle(all, FakeBuckets.TABLE);
      RebalanceState state = journal.read(FakeBuckets.TABLE).orElseThrow();
      List<Move<ServerName>> moves = state.moves().stream().map(Moved::move).toList();
      assertThat(moves).isEqualTo(plan.buckets());
      assertThat(moved)
          .filteredOn("rebalance: replica moved"::equals)
          .hasSize(plan.replicas().size());
      assertThat(plan.replicas())
          .allSatisfy(
              r ->
                  assertThat(cluster.replicas(FakeBuckets.TABLE))
                      .anyMatch(
                          p ->
                              p.server().equals(r.move().to())
                                  && Replicas.bucket(p).orElseThrow().equals(r.move().bucket())));
      assertThat(all.plan(asked).isEmpty()).isTrue();
    }
  }

  /** To wait for files there is in vain, and queries scan: the state says it, and goes on. */
  @Test
  void aServerThatCanKeepNoIndexFilesIsNamed() throws Exception {
    cluster.spoil(SERVERS.get(1));
    try (Rebalances all = master(step -> {})) {
      all.begin(request(FakeBuckets.TABLE), "ann");
      awaitIdle(all, FakeBuckets.TABLE);
    }
    RebalanceState state = journal.read(FakeBuckets.TABLE).orElseThrow();
    assertThat(state.phase()).isEqualTo(Phase.DONE);
    assertThat(state.missing()).isEqualTo(4);
    assertThat(state.note())
        .matches(
            "bucket [01]+ went to host1,16020,1 without 2 index files: no index files can be kept"
                + " there");
    assertThat(cluster.pauses).as("nothing is waited for").isEmpty();
  }
}
