package io.spyhop.bench.mdrq;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What the data is like, and what is asked of it. States of the same load need it once. */
@SuppressWarnings("ImmutableEnumChecker") // records of values, which do not say that they are
public enum State {
  /** All data in HFiles, all HFiles indexed. */
  FLUSHED(
      "flushed",
      Load.KEY_ORDER,
      QueryTrial.of(MdrqQuery.ALL).then(aggregates(MdrqQuery.ALL.get(1)))),

  /** The first rows of a narrow range. */
  LIMIT_NARROW("limit-narrow", Load.KEY_ORDER, QueryTrial.of(MdrqQuery.NARROW)),

  /** The first rows of a wide range. */
  LIMIT_WIDE("limit-wide", Load.KEY_ORDER, QueryTrial.of(MdrqQuery.WIDE)),

  /** Eight clients at once. */
  CLIENTS_8(
      "clients-8",
      Load.KEY_ORDER,
      new QueryTrial(MdrqQuery.ALL, t -> new ClientsTrial(8, turn(t)))),

  /** Puts beside queries with a long list of values. It writes, so it is the last of its load. */
  PUTS_BESIDE_IN("puts-beside-in", Load.KEY_ORDER, new PutsTrial(InQuery.ALL)),

  /** Rows come in no order; HFiles overlap. */
  SHUFFLED("shuffled", Load.SHUFFLED, QueryTrial.of(MdrqQuery.ALL)),

  /** A tenth of the rows in memstores. */
  MEMSTORE_10("memstore-10", Load.memstore(10), QueryTrial.of(MdrqQuery.ALL)),

  /** Half of the rows in memstores. */
  MEMSTORE_50("memstore-50", Load.memstore(50), QueryTrial.of(MdrqQuery.ALL)),

  /** A fifth of the rows got a column that is not indexed. */
  UPDATED_OTHER("updated-other", Load.UPDATED_OTHER, QueryTrial.of(MdrqQuery.ALL)),

  /** Of a fifth of the rows an indexed column was changed. */
  UPDATED_INDEXED("updated-indexed", Load.UPDATED_INDEXED, QueryTrial.of(MdrqQuery.ALL)),

  /** Many regions. */
  REGIONS_64("regions-64", Load.MANY_REGIONS, QueryTrial.of(MdrqQuery.ALL));

  private static final Duration TURN_A_REPETITION = Duration.ofMillis(300);

  private final String label;
  private final Load load;
  private final Measurement measurement;

  State(String label, Load load, Measurement measurement) {
    this.label = label;
    this.load = load;
    this.measurement = measurement;
  }

  private static Measurement aggregates(MdrqQuery question) {
    return (scene, progress) ->
        new AggregateTrial(question)
            .run(scene.state().label(), scene.twins().asker(), scene.trial(), progress)
            .forEach(scene.findings()::addAggregate);
  }

  /** How long a turn takes of what is not asked a number of times but for a while. */
  static Duration turn(Trial trial) {
    return TURN_A_REPETITION.multipliedBy(trial.repetitions());
  }

  /** The state of that name. */
  public static Optional<State> of(String label) {
    return Arrays.stream(values()).filter(s -> s.label.equals(label)).findFirst();
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(State::label).toList();
  }

  /** Its name. */
  public String label() {
    return label;
  }

  /** How the tables come into it. */
  Load load() {
    return load;
  }

  /** What is asked then. */
  Measurement measurement() {
    return measurement;
  }
}
