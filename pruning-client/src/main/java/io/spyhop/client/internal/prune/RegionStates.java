package io.spyhop.client.internal.prune;

import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.stats.CompactSummary;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The states of a table's regions on one server, as its last digest leaves them: two numbers a
 * region. Immutable, thread-safe.
 *
 * <p>Why a summary whose state is here may leave its region out: the server has looked at the
 * region after the digest was asked for, and found the epoch and version of the summary. So the
 * region itself would have said that nothing has changed.
 */
final class RegionStates {
  private final long life;
  private final long version;
  private final long round;
  private final long sentAt;

  /** Ascending. */
  private final long[] regions;

  private final long[] states;

  private RegionStates(
      DigestAnswer answer, long round, long sentAt, NavigableMap<Long, Long> states) {
    this.life = answer.life();
    this.version = answer.version();
    this.round = round;
    this.sentAt = sentAt;
    this.regions = states.keySet().stream().mapToLong(Long::longValue).toArray();
    this.states = states.values().stream().mapToLong(Long::longValue).toArray();
  }

  private RegionStates(RegionStates same, long round, long sentAt) {
    this.life = same.life;
    this.version = same.version;
    this.round = round;
    this.sentAt = sentAt;
    this.regions = same.regions;
    this.states = same.states;
  }

  /** What to ask a server with. */
  static DigestRequest request(RegionStates had) {
    return had == null ? DigestRequest.first() : new DigestRequest(had.life, had.version);
  }

  /**
   * The states after an answer.
   *
   * @param had what the request was made of, or null
   * @param round the round in which it was sent
   * @param sentAt when it was sent
   * @return empty if the answer does not follow what was known
   */
  static Optional<RegionStates> after(
      RegionStates had, DigestAnswer answer, long round, long sentAt) {
    if (answer.all()) {
      return Optional.of(new RegionStates(answer, round, sentAt, changed(new TreeMap<>(), answer)));
    }
    if (had == null || had.life != answer.life()) {
      return Optional.empty();
    }
    return Optional.of(
        answer.regions().length == 0
            ? new RegionStates(had, round, sentAt)
            : new RegionStates(answer, round, sentAt, changed(had.all(), answer)));
  }

  private static NavigableMap<Long, Long> changed(
      NavigableMap<Long, Long> all, DigestAnswer answer) {
    for (int i = 0; i < answer.regions().length; i++) {
      all.put(answer.regions()[i], answer.states()[i]);
    }
    return all;
  }

  private NavigableMap<Long, Long> all() {
    NavigableMap<Long, Long> all = new TreeMap<>();
    for (int i = 0; i < regions.length; i++) {
      all.put(regions[i], states[i]);
    }
    return all;
  }

  /** The round in which they were asked for. */
  long round() {
    return round;
  }

  /** When they were asked for, by the client's clock in nanoseconds. */
  long sentAt() {
    return sentAt;
  }

  /** Whether the region said, or would have said, what the summary says. */
  boolean confirm(CompactSummary summary) {
    int at = Arrays.binarySearch(regions, DigestAnswer.region(summary.region()));
    return at >= 0 && states[at] == DigestAnswer.state(summary.epoch(), summary.version());
  }
}
