package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.ServerWithoutSpyhop;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Whatever is acknowledged is found at once, while the region that it is in goes to and fro between
 * servers with and without Spyhop. Clients know from before where it may be, and write there as
 * soon as it is open.
 */
class MotionTest {
  private static final int MOVES = Integer.getInteger("spyhop.moves", 4);

  private static final TestCluster CLUSTER = TestCluster.get();

  @Test
  void whatIsAcknowledgedIsFoundWhileItsRegionMoves() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "m");
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection());
        ServerWithoutSpyhop without = new ServerWithoutSpyhop(CLUSTER)) {
      t.awaitBuilt();
      AtomicInteger written = new AtomicInteger();
      FutureTask<Void> moves = new FutureTask<>(() -> move(t, without.name(), written));
      new Thread(moves, "moves").start();
      int known = 0;
      try (Table table = CLUSTER.connection().getTable(t.name())) {
        for (; !moves.isDone(); written.incrementAndGet()) {
          int value = written.get();
          table.put(put("n" + value, value));
          assertThat(rows(spyhop, t, value)).as("write %s", value).containsExactly("n" + value);
          known += isKnown(spyhop, t, value) ? 1 : 0;
        }
      }
      moves.get();
      assertThat(known).as("answers of the index alone").isBetween(1, written.get() - 1);
    }
  }

  /**
   * The next move begins when the index is built, if it is going to be, and writes were made since.
   */
  private static Void move(GlobalFixture t, ServerName without, AtomicInteger written)
      throws IOException {
    RegionInfo region = CLUSTER.admin().getRegions(t.name()).get(1);
    List<ServerName> servers = new ArrayList<>(CLUSTER.admin().getRegionServers());
    servers.remove(without);
    for (int i = 0; i < MOVES; i++) {
      ServerName to = i % 2 == 0 ? without : servers.get(i / 2 % servers.size());
      CLUSTER.admin().move(region.getEncodedNameAsBytes(), to);
      assertThat(CLUSTER.admin().getRegions(to)).contains(region);
      if (!to.equals(without)) {
        t.awaitBuilt();
      }
      int before = written.get();
      await("writes").atMost(Duration.ofSeconds(60)).until(() -> written.get() > before + 3);
    }
    return null;
  }

  private static Query query(long value) {
    return Query.where(Predicates.column("v").eq(value));
  }

  private static List<String> rows(Spyhop spyhop, GlobalFixture t, long value) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(t.name()).query(query(value))) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  private static boolean isKnown(Spyhop spyhop, GlobalFixture t, long value) throws IOException {
    return spyhop.table(t.name()).explain(query(value)).global().stream()
        .anyMatch(g -> g.reason().isEmpty() && g.unknown() == 0);
  }
}
