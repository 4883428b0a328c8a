package io.spyhop.server.index.local.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Correctness rule 32: what counts is who watched when the compaction ran. */
class CompactionWatchTest {
  private final AtomicBoolean foreign = new AtomicBoolean();
  private final CompactionWatch watch = new CompactionWatch(foreign::get);

  @Test
  void anObserverThatIsGoneLaterWasThere() {
    Object request = new Object();
    foreign.set(true);
    watch.begins(request);
    foreign.set(false);
    watch.made(request, "a");
    assertThat(watch.isFaithful("a")).isFalse();
  }

  @Test
  void unwatchedCompactionsAreFaithful() {
    Object request = new Object();
    watch.begins(request);
    watch.made(request, "a");
    assertThat(watch.isFaithful("a")).isTrue();
    assertThat(watch.isFaithful("of an earlier opening of the region")).isFalse();
  }

  @Test
  void onlyTheLastAreKept() {
    for (int i = 0; i <= CompactionWatch.MAX_HFILES; i++) {
      Object request = new Object();
      watch.begins(request);
      watch.made(request, "f" + i);
    }
    assertThat(watch.isFaithful("f0")).isFalse();
    assertThat(watch.isFaithful("f1")).isTrue();
  }
}
