package io.spyhop.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final int THINGS = 60;

  private final Turns<Integer> turns = new Turns<>(i -> i);
  private final Map<Integer, Integer> looks = new HashMap<>();

  /** How often each has been looked at in so many turns. */
  private Map<Integer, Integer> looks(int count) {
    looks.clear();
    for (int i = 0; i < count; i++) {
      turns.next(thing -> looks.merge(thing, 1, Integer::sum));
    }
    return looks;
  }

  @Test
  void whatIsAtRestIsLookedAtOnceInTwentyTurns() {
    for (int i = 0; i < THINGS; i++) {
      turns.add(i);
    }
    assertThat(looks(2)).hasSize(THINGS).containsValue(2);
    for (int i = 1; i < THINGS; i++) {
      turns.rest(i, true);
    }
    assertThat(looks(20)).hasSize(THINGS).containsEntry(0, 20).containsEntry(7, 1);
    assertThat(looks(1)).as("a twentieth, and the one that is awake").hasSize(THINGS / 20 + 1);
    turns.rest(7, false);
    assertThat(looks(20)).containsEntry(7, 20).containsEntry(8, 1);
    turns.remove(7);
    assertThat(looks(20)).hasSize(THINGS - 1).doesNotContainKey(7);
    turns.rest(7, true);
    assertThat(looks(20)).as("what was removed stays away").doesNotContainKey(7);
  }

  @Test
  void thoseThatBelongTogetherHaveTheSameTurn() {
    Turns<Integer> tables = new Turns<>(i -> i / 10);
    for (int i = 0; i < THINGS; i++) {
      tables.add(i);
      tables.rest(i, true);
    }
    List<Integer> together = new ArrayList<>();
    for (int turn = 0; turn < 20; turn++) {
      List<Integer> seen = new ArrayList<>();
      tables.next(seen::add);
      if (!seen.isEmpty()) {
        together.add(seen.size());
      }
    }
    assertThat(together).hasSize(THINGS / 10).containsOnly(10);
  }
}
