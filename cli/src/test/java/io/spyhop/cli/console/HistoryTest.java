package io.spyhop.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.console.Snapshot.Sample;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The last hour, as it is plotted. */
class HistoryTest {
  private static final long MINUTE = 60_000;

  private final History history = new History();

  private Sample seen(long at, Map<String, Double> metrics) {
    List<Snapshot.Server> servers = List.of(Snapshots.server("a,1,1", metrics));
    List<Sample> all = history.add(Snapshots.of(at, 5_000, servers, 1, List.of()));
    return all.get(all.size() - 1);
  }

  @Test
  void countersBecomeRates() {
    assertThat(seen(MINUTE, Map.of("SpyhopFallbacks", 100.0)).plain()).as("the first").isNull();
    Sample next = seen(2 * MINUTE, Map.of("SpyhopFallbacks", 220.0));
    assertThat(next.plain()).isEqualTo(2.0);
    assertThat(next.indexed()).as("not told").isNull();
    assertThat(next.dead()).isOne();
    assertThat(next.requests()).isEqualTo(100);
    assertThat(seen(3 * MINUTE, Map.of("SpyhopFallbacks", 10.0)).plain()).as("anew").isZero();
    assertThat(seen(9 * MINUTE, Map.of("SpyhopFallbacks", 20.0)).plain()).as("too old").isNull();
  }

  @Test
  void whatWasNotSeenIsNotKnown() {
    seen(MINUTE, Map.of());
    Snapshot then = Snapshots.of(MINUTE, 5_000, List.of(), 3, List.of());
    Snapshot gone =
        new Snapshot(
            2 * MINUTE,
            5_000,
            0,
            null,
            then.seen(),
            then.cluster(),
            then.servers(),
            null,
            null,
            then.repairs(),
            null,
            null,
            null,
            false,
            List.of("servers: gone"),
            List.of());
    assertThat(history.add(gone))
        .last()
        .isEqualTo(new Sample(2 * MINUTE, null, null, null, null, null, null, null, null, null));
  }

  @Test
  void itIsAnHourAtMost() {
    for (long at = MINUTE; at < 200 * MINUTE; at += 5_000) {
      seen(at, Map.of());
    }
    List<Sample> all = history.add(Snapshots.of(200 * MINUTE, 5_000, List.of(), 0, List.of()));
    assertThat(all).hasSize(241);
    assertThat(all.get(0).at()).isEqualTo(140 * MINUTE);
  }
}
