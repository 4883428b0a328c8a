package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.cli.output.Texts;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Moved;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Texts about the state of a rebalance. Stateless. */
final class RebalanceTexts {
  private RebalanceTexts() {}

  /** In few lines. */
  static List<String> summary(RebalanceState state) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "Rebalance by user '%s', begun %s: %s. %s moved, %s left.",
            state.user(),
            Instant.ofEpochMilli(state.since()).truncatedTo(ChronoUnit.SECONDS),
            phase(state.phase()),
            buckets(state.moved()),
            Texts.count(state.moves().size() - state.moved() + state.left().size())));
    if (state.moved() > 0) {
      lines.add(
          String.format(
              "Writes were held up for %s in all; %s index files were missing.",
              Texts.seconds(Duration.ofMillis(state.blockedMillis())),
              Texts.count(state.missing())));
    }
    if (!state.note().isEmpty()) {
      lines.add(state.note());
    }
    return lines;
  }

  private static String buckets(int count) {
    return Texts.count(count) + (count == 1 ? " bucket" : " buckets");
  }

  private static String phase(RebalanceState.Phase phase) {
    return switch (phase) {
      case BEGIN, COMMIT -> "it runs";
      case WAITING -> "it waits";
      case DONE -> "done";
      case ABORTED -> "it was given up";
      case STOPPED -> "it was stopped, and none begins by itself";
    };
  }

  /** Each bucket that was moved, that moves, and that is left. */
  static List<String> moves(RebalanceState state) {
    TextTable lines =
        new TextTable("bucket", "from", "to", "state", ">files", ">size", ">missing", ">held");
    for (int i = 0; i < state.moves().size(); i++) {
      boolean moves = i >= state.moved();
      add(lines, state.moves().get(i), moves ? "moves" : "moved");
    }
    state.left().forEach(m -> add(lines, m, "left"));
    return state.moves().isEmpty() && state.left().isEmpty() ? List.of() : lines.lines();
  }

  private static void add(TextTable lines, Moved m, String how) {
    lines.add(
        m.bucket(),
        m.from().getAddress(),
        m.to().getAddress(),
        how,
        Texts.count(m.files()),
        Texts.megabytes(m.bytes()),
        Texts.count(m.missing()),
        Texts.seconds(Duration.ofMillis(m.blockedMillis())));
  }
}
