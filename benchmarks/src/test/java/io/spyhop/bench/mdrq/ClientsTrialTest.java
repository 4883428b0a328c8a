package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

class ClientsTrialTest {
  private static final ClientsTrial THREE = new ClientsTrial(3, Duration.ZERO);

  @Test
  void clientsAskAtOnceAndSidesTakeTurns() throws IOException {
    ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    List<Cost> costs = THREE.costs(0, List.of(side(asked, "a"), side(asked, "b")));
    assertThat(String.join("", asked)).isEqualTo("aaabbbbbbaaa");
    assertThat(costs).hasSize(2).allMatch(cost -> cost.perSecond() > 0);
  }

  /** Answers when three ask. */
  private static Side side(ConcurrentLinkedQueue<String> asked, String name) {
    CyclicBarrier barrier = new CyclicBarrier(THREE.clients());
    return () -> {
      try {
        barrier.await(1, TimeUnit.MINUTES);
      } catch (Exception e) {
        throw new IOException("nobody asks at the same time", e);
      }
      asked.add(name);
      return List.of();
    };
  }

  @Test
  void anotherNumberOfRowsFails() {
    Side one = () -> List.of(Result.EMPTY_RESULT);
    assertThatThrownBy(() -> THREE.costs(2, List.of(one)))
        .isInstanceOf(IOException.class)
        .hasMessage("a repeated query found 1 rows, the first time 2");
  }
}
