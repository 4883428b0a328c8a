package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.server.testing.QuickFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Rebalances of a cluster of which masters and servers die at every step. */
class RebalancesTest {
  private static final Duration STEP = Duration.ofMillis(5);
  private static final List<ServerName> SERVERS = FakeBuckets.servers(4);

  @TempDir(factory = InMemory.class)
  private Path directory;

  private RebalanceJournal journal;
  private FakeBuckets cluster;

  /** Each step is synced, hundreds of times: in memory, where the system has a place for that. */
  static final class InMemory implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext of, ExtensionContext context)
        throws IOException {
      return Files.isWritable(MEMORY)
          ? Files.createTempDirectory(MEMORY, "spyhop")
          : Files.createTempDirectory("spyhop");
    }
  }

  @BeforeEach
  void start() throws IOException {
    FileSystem fs = QuickFiles.open();
    journal = new RebalanceJournal(fs, new org.apache.hadoop.fs.Path(directory.toUri().toString()));
    cluster = new FakeBuckets(8, SERVERS);
  }

  private Rebalances master(IoConsumer<String> watch) {
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
    await().pollInterval(STEP).until(() -> all.isIdle(FakeBuckets.TABLE));
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
      await().until(() -> all.isMoving(FakeBuckets.TABLE));
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
      journal.write(RebalanceState.begun(gone, "ann", 1, List.of(), Optional.empty()));
      cluster.kill(SERVERS.get(3));
      all.resume();
      assertThat(ended().phase()).isEqualTo(Phase.ABORTED);
      assertThat(ended().note())
          .contains("none of the servers that shall have buckets lives, or takes regions");
    }
  }

  /** What an administrator wanted is what the last rebalance said that came to its end. */
  @Test
  void whatWasGivenUpIsNobodysWill() throws Exception {
    try (Rebalances all = master(step -> {})) {
      assertThatThrownBy(() -> all.begin(request(List.of()), "ann"))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("table 'orders': no server would be left");
      RebalanceRequest without = request(SERVERS.subList(0, 3));
      all.begin(without, "ann");
      assertThat(ended().phase()).isEqualTo(Phase.DONE);
      awaitIdle(all);
      Map<ServerName, Integer> wanted = cluster.counts();
      cluster.drain(SERVERS.get(3));
      journal.write(
          RebalanceState.begun(
              request(List.of(SERVERS.get(3))), "ann", 2_000, List.of(), ended().lastWill()));
      all.resume();
      assertThat(ended().phase()).isEqualTo(Phase.ABORTED);
      awaitIdle(all);
      cluster.recommission(SERVERS.get(3));
      all.even("it");
      awaitIdle(all);
      assertThat(cluster.counts()).as("host3 is left out").isEqualTo(wanted);
      cluster.kill(SERVERS.get(2));
      all.even("it");
      assertThat(ended().user()).isEqualTo("it");
      awaitIdle(all);
      assertThat(cluster.counts()).containsOnlyKeys(SERVERS.get(0), SERVERS.get(1));
    }
  }

  @Test
  void regionsAreNotMovedToServersThatAreDrained() throws Exception {
    cluster.drain(SERVERS.get(1));
    try (Rebalances all = master(step -> {})) {
      assertThatThrownBy(() -> all.begin(request(SERVERS), "ann"))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("server host1,16020,1 is decommissioned");
      all.even("it");
      assertThat(ended().phase()).isEqualTo(Phase.DONE);
      awaitIdle(all);
      assertThat(cluster.counts()).doesNotContainKey(SERVERS.get(1)).hasSize(3);
    }
  }

  /** One that is drained amid a rebalance gets no more, and keeps no more than it has to. */
  @Test
  void aServerMayBeDrainedAtEachStep() throws Exception {
    int steps = steps().size() - 1;
    for (int i = 1; i < steps; i++) {
      int last = i;
      cluster = new FakeBuckets(8, SERVERS);
      int[] count = {0};
      try (Rebalances all =
          master(
              step -> {
                if (count[0]++ == last) {
                  cluster.drain(SERVERS.get(3));
                }
              })) {
        all.begin(request(SERVERS), "ann");
        assertThat(ended().phase()).as("step %d", last).isEqualTo(Phase.DONE);
        awaitIdle(all);
        assertThat(cluster.counts()).as("step %d", last).doesNotContainKey(SERVERS.get(3));
      }
    }
  }

  @Test
  void noTwoReplicasOfABucketAreOnOneServer() throws Exception {
    cluster.addReplicas();
    try (Rebalances all = master(step -> {})) {
      all.begin(request(SERVERS), "ann");
      assertThat(ended().phase()).isEqualTo(Phase.DONE);
      awaitIdle(all);
      assertApart(SERVERS);
      all.begin(request(SERVERS.subList(0, 3)), "ann");
      awaitIdle(all);
      assertApart(SERVERS.subList(0, 3));
      cluster.kill(SERVERS.get(2));
      all.even("it");
      awaitIdle(all);
      assertApart(SERVERS.subList(0, 2));
    }
  }

  private void assertApart(List<ServerName> servers) throws IOException {
    List<BucketCluster.Place> replicas = cluster.replicas(FakeBuckets.TABLE);
    assertThat(replicas).hasSize(8);
    Map<Bucket, BucketCluster.Place> places = cluster.places(FakeBuckets.TABLE);
    for (BucketCluster.Place replica : replicas) {
      RegionInfo region = replica.region();
      Bucket bucket = Bucket.ofRange(region.getStartKey(), region.getEndKey()).orElseThrow();
      assertThat(servers).contains(replica.server()).contains(places.get(bucket).server());
      assertThat(replica.server()).isNotEqualTo(places.get(bucket).server());
    }
  }

  @Test
  void aDamagedJournalSaysWhichAndWhatToDo() throws Exception {
    try (Rebalances all = master(step -> {})) {
      all.begin(request(SERVERS), "ann");
      ended();
      awaitIdle(all);
      Path file;
      try (Stream<Path> files = Files.list(directory.resolve(".spyhop-rebalance"))) {
        file =
            files
                .filter(f -> !f.getFileName().toString().startsWith("."))
                .findFirst()
                .orElseThrow();
      }
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2]++;
      Files.write(file, bytes);
      assertThatThrownBy(() -> all.begin(request(SERVERS), "ann"))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("table 'orders'")
          .hasMessageContaining(file.toString())
          .hasMessageContaining("delete it");
      all.resume();
      Files.delete(file);
      all.begin(request(SERVERS), "ann");
      assertThat(ended().phase()).isEqualTo(Phase.DONE);
      awaitIdle(all);
    }
  }

  /** Another table of the same name has nothing to do with it, as soon as it may be there. */
  @Test
  void aTableMayBeDroppedAndComeAgain() throws Exception {
    int steps = steps().size() - 1;
    for (boolean comes : List.of(false, true)) {
      for (int i = 1; i < steps; i++) {
        String what = "dropped at step " + i + (comes ? ", and created" : "");
        int last = i;
        cluster = new FakeBuckets(8, SERVERS);
        int[] count = {0};
        Rebalances[] all = {null};
        all[0] =
            master(
                step -> {
                  if (count[0]++ == last) {
                    cluster.drop();
                    all[0].forget(FakeBuckets.TABLE);
                    if (comes) {
                      cluster.create(8, SERVERS.get(1));
                    }
                  }
                });
        try (Rebalances some = all[0]) {
          some.begin(request(SERVERS), "ann");
          await().pollInterval(STEP).until(() -> count[0] > last);
          awaitIdle(some);
          assertThat(some.state(FakeBuckets.TABLE)).as(what).isEmpty();
          if (comes) {
            assertThat(cluster.moved).as(what).isEmpty();
            some.begin(request(List.of(SERVERS.get(0))), "bob");
            assertThat(ended().user()).as(what).isEqualTo("bob");
            awaitIdle(some);
            assertThat(cluster.counts()).as(what).containsOnlyKeys(SERVERS.get(0));
          }
        }
      }
    }
  }

  /** A master that did not know that it was none any more has noted an old one's state again. */
  @Test
  void whatWasNotedOfAnotherTableIsGivenUp() throws Exception {
    try (Rebalances dying =
        master(
            step -> {
              throw new IOException("dies at " + step);
            })) {
      beginQuietly(dying);
    }
    cluster.create(8, SERVERS.get(0));
    try (Rebalances next = master(step -> {})) {
      next.resume();
      assertThat(ended().phase()).isEqualTo(Phase.ABORTED);
      assertThat(ended().note()).contains("table 'orders'", "dropped and created");
      awaitIdle(next);
      assertThat(cluster.moved).isEmpty();
      next.even("it");
      assertThat(ended().user()).isEqualTo("it");
      awaitIdle(next);
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
