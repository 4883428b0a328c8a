package io.spyhop.server.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.model.ModelBuckets.Share;
import io.spyhop.server.testing.TestCluster;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The model check: one fixed history and one of a random seed, which {@code -Dspyhop.seed} and
 * {@code -Dspyhop.steps} set; {@code -Dspyhop.seeds=N} runs N seeds from there, {@code
 * -Dspyhop.cluster=small|shared|secured} runs them on another cluster, {@code
 * -Dspyhop.restless=true} has HBase compact HFiles and memstores beside the history, and {@code
 * -Dspyhop.versions=N} has families keep N versions at least, {@code -Dspyhop.wide=N} a third of
 * the rows hold a value of N bytes. One table in three has buckets, {@code
 * -Dspyhop.buckets=all|none} all or none of them; {@code -Dspyhop.uneven=true} has most rows in a
 * quarter of the buckets. {@code -Dspyhop.checks=one} does one of the checks after a step in place
 * of all, so that there is time for more steps.
 */
class ModelCheckTest {
  private static final int STEPS = Integer.getInteger("spyhop.steps", 30);

  /** Fewer steps of a random seed may ask of no global index, or of no order, by chance. */
  private static final int MANY_STEPS = 300;

  private static final Share SHARE =
      Share.valueOf(System.getProperty("spyhop.buckets", "some").toUpperCase(Locale.ROOT));

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = ModelClusters.asked().start();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** The history whose counts are known: it shows that the check asks what it is there for. */
  @Test
  void fixedHistory() throws Exception {
    runAndCount(42, Share.NONE);
  }

  @Test
  void randomHistories() throws Exception {
    long first = Long.getLong("spyhop.seed", new Random().nextInt(1_000_000));
    int seeds = Integer.getInteger("spyhop.seeds", 1);
    for (long seed = first; seed < first + seeds; seed++) {
      if (STEPS < MANY_STEPS) {
        new ModelCheck(cluster, seed, SHARE).run(ModelCheck.history(seed, STEPS));
      } else {
        runAndCount(seed, SHARE);
      }
    }
  }

  /** Few steps, among which buckets are split and moved more often than elsewhere. */
  @Test
  void historyOfBuckets() throws Exception {
    long counted = cluster.indexedQueries();
    List<Operation> history = ModelCheck.history(7, 24);
    Operation.Kind[] regions = {Operation.Kind.SPLIT, Operation.Kind.MERGE};
    for (int i = 4; i < history.size(); i += 5) {
      history.set(i, new Operation(regions[i / 5 % 2], i));
    }
    ModelCheck check = new ModelCheck(cluster, 7, Share.ALL);
    check.run(history);
    assertThat(cluster.indexedQueries() - counted).as("answers of indexes").isGreaterThan(12);
    assertThat(check.rowsOfBuckets()).as("rows of buckets").isGreaterThan(24);
  }

  private static void runAndCount(long seed, Share buckets) throws Exception {
    long counted = cluster.indexedQueries();
    ModelCheck check = new ModelCheck(cluster, seed, buckets);
    check.run(ModelCheck.history(seed, STEPS));
    int checks = ModelCheck.checked(STEPS);
    assertThat(cluster.indexedQueries() - counted)
        .as("queries answered from an index with seed %d", seed)
        .isGreaterThan(checks / 2);
    assertThat(check.answersThroughGlobal())
        .as("queries answered from a global index with seed %d, of those explained", seed)
        .isGreaterThan(checks / 60);
    assertThat(check.regionsPruned())
        .as("regions that pruned queries left out with seed %d", seed)
        .isGreaterThan(checks / 10);
    // With little memory regions may have nothing in order that fits.
    boolean maySort = ModelClusters.asked() == ModelClusters.SMALL;
    assertThat(check.aggregatesOfRegions()).as("aggregates by regions alone").isPositive();
    assertThat(check.asynchronous()).as("queries by consumers, and ended").isPositive();
    assertThat(check.answersInOrder() + (maySort ? check.ordersRefused() : 0))
        .as("answers of regions in the order of values with seed %d", seed)
        .isGreaterThan(checks / 30);
    if (check.hasBuckets()) {
      assertThat(check.rowsOfBuckets()).as("rows of buckets, seed %d", seed).isGreaterThan(checks);
    }
  }
}
