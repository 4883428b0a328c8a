package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rebalances of a cluster of which masters and servers die at every step. */
class RebalancesTest {
  private static final Duration STEP = Duration.ofMillis(5);
  private static final List<ServerName> SERVERS = FakeBuckets.servers(4);

  @TempDir private Path directory;
  private RebalanceJournal journal;
  private FakeBuckets cluster;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new Configuration();
    FileSystem fs = FileSystem.getLocal(conf).getRawFileSystem();
    journal = new RebalanceJournal(fs, new org.apache.hadoop.fs.Path(directory.toUri().toString()));
    cluster = new FakeBuckets(8, SERVERS);
  }

  private Rebalances master(Rebalances.Watch watch) {
    return new Rebalances(journal, cluster, watch, () -> 1_000);
  }

  private static RebalanceRequest request(List<ServerName> staying) {
    return new RebalanceRequest(FakeBuckets.TABLE, UUID.randomUUID(), staying, Duration.ZERO);
  }

  /** A local file system replaces a file in two steps, and HDFS in one. */
  private RebalanceState ended() {
    return await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(STEP)
        .until(
            () -> journal.read(FakeBuckets.TABLE),
            s -> s.filter(state -> !state.phase().isOpen()).isPresent())
        .orElseThrow();
  }

  private static void awaitIdle(Rebalances all) {
    await().pollInterval(STEP).until(() -> !all.isRunning(FakeBuckets.TABLE));
  }

  /** All steps of a rebalance, by name. */
  private List<String> steps() throws IOException {
    List<String> steps = new ArrayList<>();
    try (Rebalances all = master(steps::add)) {
      all.begin(request(SERVERS), "ann");
      assertThat(ended().phase()).isEqualTo(Phase.DONE);
      awaitIdle(all);
    }
    return steps;
  }

  @Test
  void bucketsAreSpreadWithTheFewestMoves() throws Exception {
    assertThat(steps())
        .contains("rebalance: begun", "rebalance: planned", "rebalance: shipped", "rebalance: held")
        .contains("rebalance: committed", "rebalance: moved")
        .endsWith("rebalance: done");
    assertThat(cluster.moved).hasSize(6).doesNotHaveDuplicates();
    assertThat(cluster.counts().values()).containsExactly(2, 2, 2, 2);
    RebalanceState state = ended();
    assertThat(state.user()).isEqualTo("ann");
    assertThat(state.moves()).hasSize(6).allMatch(m -> m.files() == 2 && m.missing() == 0);
    assertThat(state.left()).isEmpty();
  }

  @Test
  void bucketsMoveApart() throws Exception {
    Duration pause = Rebalance.MOST_PAUSE;
    try (Rebalances all = master(step -> {})) {
      all.begin(new RebalanceRequest(FakeBuckets.TABLE, UUID.randomUUID(), SERVERS, pause), "ann");
      assertThat(ended().moves()).hasSize(6);
      awaitIdle(all);
    }
    assertThat(cluster.pauses)
        .hasSize(5)
        .allMatch(p -> p.compareTo(pause) <= 0 && p.compareTo(pause.minusMinutes(1)) > 0);
  }

  /** Cases 4 to 6 of the paper: whatever was noted, the next master ends it. */
  @Test
  void aMasterMayDieAtEachStep() throws Exception {
    int steps = steps().size();
    for (int i = 0; i < steps; i++) {
      int last = i;
      cluster = new FakeBuckets(8, SERVERS);
      int[] count = {0};
      try (Rebalances dying =
          master(
              step -> {
                if (count[0]++ >= last) {
                  cluster.stopping(true);
                  throw new IOException("dies at " + step);
                }
              })) {
        beginQuietly(dying);
        awaitIdle(dying);
      }
      cluster.stopping(false);
      try (Rebalances next = master(step -> {})) {
        next.resume();
        assertThat(ended().phase()).as("died at step %d", last).isEqualTo(Phase.DONE);
        awaitIdle(next);
      }
      assertThat(cluster.counts().values()).as("step %d", last).containsExactly(2, 2, 2, 2);
      assertThat(cluster.moved).as("step %d", last).hasSize(6).doesNotHaveDuplicates();
      assertThat(cluster.held()).as("step %d", last).isEmpty();
    }
  }

  private void beginQuietly(Rebalances dying) {
    RebalanceRequest request = request(SERVERS);
    try {
      dying.begin(request, "ann");
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("dies at rebalance: begun");
    }
  }

  /** Cases 1 to 3: who was to have buckets has died, or who had them. */
  @Test
  void aServerMayDieAtEachStep() throws Exception {
    int steps = steps().size() - 1;
    for (ServerName victim : List.of(SERVERS.get(0), SERVERS.get(1), SERVERS.get(3))) {
      for (int i = 1; i < steps; i++) {
        int last = i;
        cluster = new FakeBuckets(8, SERVERS);
        int[] count = {0};
        String what = victim + " dies at step " + last;
        try (Rebalances all =
            master(
                step -> {
                  if (count[0]++ == last) {
                    cluster.kill(victim);
                  }
                })) {
          all.begin(request(SERVERS), "ann");
          assertThat(ended().phase()).as(what).isEqualTo(Phase.DONE);
          awaitIdle(all);
        }
        Set<ServerName> left = new HashSet<>(SERVERS);
        left.remove(victim);
        assertThat(cluster.counts().keySet()).as(what).isEqualTo(left);
        assertThat(cluster.counts().values()).as(what).allMatch(n -> n == 2 || n == 3);
        assertThat(cluster.held()).as(what).isEmpty();
      }
    }
  }

  @Test
  void oneAtATime() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    RebalanceRequest first = request(SERVERS);
    try (Rebalances all = master(step -> waitFor(goOn, step))) {
      assertThat(all.begin(first, "ann").phase()).isEqualTo(Phase.BEGIN);
      assertThat(all.isRunning(FakeBuckets.TABLE)).isTrue();
      assertThatThrownBy(() -> all.begin(request(SERVERS), "bob"))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(
              "table 'orders' is being rebalanced, by user 'ann' since 1970-01-01")
          .hasMessageContaining("one rebalance of a table runs at a time");
      assertThat(all.begin(first, "ann").request()).as("asked again").isEqualTo(first);
      goOn.countDown();
      assertThat(ended().request()).isEqualTo(first);
      awaitIdle(all);
      assertThat(all.begin(first, "ann").phase()).as("asked late").isEqualTo(Phase.DONE);
      assertThat(all.begin(request(SERVERS), "bob").phase()).isEqualTo(Phase.BEGIN);
      awaitIdle(all);
    }
  }

  private static void waitFor(CountDownLatch goOn, String step) throws IOException {
    if (!step.equals("rebalance: begun")) {
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  @Test
  void whatCannotBeIsRefusedAndNothingIsNoted() throws Exception {
    try (Rebalances all = master(step -> {})) {
      assertThatThrownBy(() -> all.begin(request(FakeBuckets.servers(5)), "ann"))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("host4,16020,1 is not there");
      assertThat(all.state(FakeBuckets.TABLE)).isEmpty();
      all.begin(request(List.of(SERVERS.get(0), SERVERS.get(1))), "ann");
      awaitIdle(all);
      cluster.kill(SERVERS.get(2));
      RebalanceRequest gone = request(List.of(SERVERS.get(3)));
      journal.write(RebalanceState.begun(gone, "ann", 1));
      cluster.kill(SERVERS.get(3));
      all.resume();
      assertThat(ended().phase()).isEqualTo(Phase.ABORTED);
      assertThat(ended().note()).contains("none of the servers that shall have buckets lives");
    }
  }

  /** A table of the same name must not find what became of the one before it. */
  @Test
  void aTableMayBeDroppedMeanwhile() throws Exception {
    int steps = steps().size() - 1;
    for (int i = 1; i < steps; i++) {
      int last = i;
      cluster = new FakeBuckets(8, SERVERS);
      int[] count = {0};
      try (Rebalances all =
          master(
              step -> {
                if (count[0]++ == last) {
                  cluster.drop();
                  journal.forget(FakeBuckets.TABLE);
                }
              })) {
        all.begin(request(SERVERS), "ann");
        awaitIdle(all);
        assertThat(all.state(FakeBuckets.TABLE)).as("dropped at step %d", last).isEmpty();
      }
    }
  }

  /** As HBase's balancer asks for it, with what an administrator has asked for in mind. */
  @Test
  void bucketsAreEvenUnlessTheyShallNot() throws Exception {
    try (Rebalances all = master(step -> {})) {
      all.even("it");
      assertThat(ended().user()).isEqualTo("it");
      awaitIdle(all);
      assertThat(cluster.counts().values()).containsExactly(2, 2, 2, 2);
      UUID first = ended().request().id();
      all.even("it");
      assertThat(ended().request().id()).as("nothing to do").isEqualTo(first);

      RebalanceRequest without = request(SERVERS.subList(0, 2));
      all.begin(without, "ann");
      assertThat(ended().request()).isEqualTo(without);
      awaitIdle(all);
      all.even("it");
      assertThat(ended().request()).as("two are left out").isEqualTo(without);

      ServerName again = ServerName.valueOf("host3", 16020, 2_000);
      cluster.start(again);
      all.even("it");
      awaitIdle(all);
      assertThat(cluster.counts()).containsOnlyKeys(SERVERS.get(0), SERVERS.get(1), again);
    }
  }
}
