package io.spyhop.server.index.global.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.index.global.repair.RepairItem.Held;
import org.junit.jupiter.api.Test;

/** The backlog has bounds, and no table takes the room of all others. */
class RepairBacklogTest {
  private final RepairBacklog backlog =
      new RepairBacklog(new RepairSettings(0, 1, 1, 8, 100, 1_000, 1));

  private static RepairItem item(Held held, long dueAt) {
    return new RepairItem(null, dueAt) {
      @Override
      void run() {}

      @Override
      void givenUp() {}

      @Override
      Held holds() {
        return held;
      }
    };
  }

  private boolean add(String by, int entries, long bytes) {
    return backlog.add(item(new Held(entries, bytes, by), 1));
  }

  private int fill(String by) {
    int added = 0;
    while (add(by, 1, 1)) {
      added++;
    }
    return added;
  }

  @Test
  void reportsTakeNoRoomOfLists() {
    assertThat(fill("one")).isEqualTo(2);
    assertThat(fill("two")).isEqualTo(2);
    assertThat(fill("three")).isZero();
    int lists = 0;
    while (backlog.hasRoom()) {
      assertThat(backlog.add(item(Held.NOTHING, 0))).isTrue();
      lists++;
    }
    assertThat(lists).isEqualTo(8);
    assertThat(backlog.add(item(Held.NOTHING, 0))).isFalse();
    assertThat(backlog.size()).isEqualTo(12);
  }

  @Test
  void nobodyHasMoreThanHalf() {
    assertThat(add("one", 1, 501)).isFalse();
    assertThat(add("one", 51, 1)).isFalse();
    assertThat(add("one", 1, 400)).isTrue();
    assertThat(add("one", 1, 200)).isFalse();
    assertThat(add("two", 1, 500)).isTrue();
    assertThat(add("", 1, 200)).isFalse();
    assertThat(add("", 1, 100)).isTrue();
  }

  @Test
  void roomComesBack() {
    assertThat(add("one", 50, 500)).isTrue();
    RepairItem item = backlog.poll();
    assertThat(add("one", 1, 1)).as("while the first runs").isFalse();
    backlog.again(item);
    assertThat(backlog.poll()).isSameAs(item);
    backlog.done(item);
    assertThat(add("one", 50, 500)).isTrue();
    backlog.remove(null);
    assertThat(backlog.size()).isZero();
    assertThat(add("one", 50, 500)).isTrue();
  }
}
