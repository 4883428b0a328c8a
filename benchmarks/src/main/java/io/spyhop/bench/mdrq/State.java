package io.spyhop.bench.mdrq;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What the data is like, and what is asked of it. States of the same load need it once. */
@SuppressWarnings("ImmutableEnumChecker") // records of values, which do not say that they are
public enum State {
  /** All data in HFiles, all HFiles indexed. No condition is asked twice but in {@link #REPEAT}. */
  FLUSHED(
      "flushed",
      Load.KEY_ORDER,
      QueryTrial.of(MdrqQuery.WITH_LIMITS).then(new AggregateTrial(MdrqQuery.ALL.get(1)))),

  /** The first rows of a narrow range. */
  LIMIT_NARROW("limit-narrow", Load.KEY_ORDER, QueryTrial.of(MdrqQuery.NARROW)),

  /** The first rows of a wide range. */
  LIMIT_WIDE("limit-wide", Load.KEY_ORDER, QueryTrial.of(MdrqQuery.WIDE)),

  /** Eight clients at once. */
  CLIENTS_8(
      "clients-8",
      Load.KEY_ORDER,
      QueryTrial.timed(
          MdrqQuery.WITH_LIMITS, (scene, q) -> new ClientsTrial(8, turn(scene.trial())))),

  /** Block caches are emptied before each answer. */
  COLD(
      "cold",
      Load.KEY_ORDER,
      QueryTrial.timed(
          MdrqQuery.WITH_LIMITS, (scene, q) -> scene.trial().after(scene.servers()::dropBlocks))),

  /** Right before each answer the same condition is asked with another limit and selection. */
  REPEAT(
      "repeat",
      Load.KEY_ORDER,
      new QueryTrial(
          MdrqQuery.WITH_LIMITS,
          Asker::spyhopAgain,
          (scene, q) -> scene.trial().after(scene.twins().asker().spyhopOtherwise(q)::ask))),

  /** Puts beside queries with a long list of values. It writes, so it is the last of its load. */
  PUTS_BESIDE_IN("puts-beside-in", Load.KEY_ORDER, new PutsTrial(InQuery.ALL)),

  /** Rows come in no order; HFiles overlap. */
  SHUFFLED("shuffled", Load.SHUFFLED, QueryTrial.of(MdrqQuery.WITH_LIMITS)),

  /** A tenth of the rows in memstores. */
  MEMSTORE_10("memstore-10", Load.memstore(10), QueryTrial.of(MdrqQuery.WITH_LIMITS)),

  /** Half of the rows in memstores. */
  MEMSTORE_50("memstore-50", Load.memstore(50), QueryTrial.of(MdrqQuery.WITH_LIMITS)),

  /** A fifth of the rows got a column that is not indexed. */
  UPDATED_OTHER("updated-other", Load.UPDATED_OTHER, QueryTrial.of(MdrqQuery.WITH_LIMITS)),

  /** Of a fifth of the rows an indexed column was changed. */
  UPDATED_INDEXED("updated-indexed", Load.UPDATED_INDEXED, QueryTrial.of(MdrqQuery.WITH_LIMITS)),

  /** Overlapping HFiles, rows in memstores and other prices at once. */
  MIXED("mixed", Load.MIXED, QueryTrial.of(MdrqQuery.WITH_LIMITS)),

  /** An encoded and compressed family. */
  ENCODED("encoded", Load.ENCODED, QueryTrial.of(MdrqQuery.WITH_LIMITS)),

  /** Many regions. */
  REGIONS_64("regions-64", Load.MANY_REGIONS, QueryTrial.of(MdrqQuery.WITH_LIMITS)),

  /** Many short rows, and half of their index files fit into block caches. */
  ROWS_20M(
      "rows-20m",
      Load.NARROW,
      withHalfTheIndexInCaches(
          QueryTrial.of(MdrqQuery.WITH_LIMITS.subList(1, MdrqQuery.WITH_LIMITS.size()))));

  private final String label;
  private final Load load;
  private final Measurement measurement;

  State(String label, Load load, Measurement measurement) {
    this.label = label;
    this.load = load;
    this.measurement = measurement;
  }

  private static Measurement withHalfTheIndexInCaches(Measurement measurement) {
    return (scene, progress) ->
        scene
            .servers()
            .withCaches(
                (long) scene.twins().indexBytes().number("ifiles") / 2,
                () -> measurement.run(scene, progress));
  }

  /** How long a turn takes of what is not asked a number of times but for a while. */
  static Duration turn(Trial trial) {
    return trial.turn().multipliedBy(trial.repetitions());
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
