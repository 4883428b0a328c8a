package io.spyhop.server.access;

import java.util.List;

/**
 * The observation of a way by one user.
 *
 * @param outcome in the table's words
 * @param said what came back and may be compared with another time
 * @param counted by how much the counters of indexes and statistics grew
 */
record Observation(Outcome outcome, List<String> said, List<Long> counted) {
  static Observation of(Outcome outcome, List<String> said) {
    return new Observation(outcome, List.copyOf(said), List.of());
  }
}
