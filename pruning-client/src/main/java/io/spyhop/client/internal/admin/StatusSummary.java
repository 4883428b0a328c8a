package io.spyhop.client.internal.admin;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.RegionStatus.Build;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Adds up what the regions of a table say of one index. Stateless, thread-safe. */
public final class StatusSummary {
  /** How many errors are listed; a large table can have one for each of thousands of regions. */
  static final int MAX_ERRORS = 20;

  private StatusSummary() {}

  /** The regions' answers about one index. */
  private record Told(List<IndexState> states, List<String> errors) {
    long sum(ToLongFunction<IndexState> number) {
      return states.stream().mapToLong(number).sum();
    }
  }

  /**
   * The sum of a local index.
   *
   * @param answers one entry for each region of the table. An answer counts if it comes from the
   *     region that was asked and is about this incarnation of the index; a region that split
   *     since, or has not re-read the definitions, counts when it is asked again
   */
  public static IndexStatus.Local local(
      IndexDefinition index, List<RegionAnswer<RegionStatus>> answers) {
    Told told = told(index, answers);
    return new IndexStatus.Local(
        index,
        isActive(told.states, answers) ? State.ACTIVE : State.BUILDING,
        answers.size(),
        told.states.size(),
        told.sum(IndexState::files),
        told.sum(IndexState::covered),
        told.sum(IndexState::entries),
        told.sum(IndexState::undecodable),
        told.sum(IndexState::unkeyable),
        told.sum(IndexState::ifileBytes),
        told.sum(IndexState::sfileBytes),
        Math.toIntExact(told.sum(IndexState::pending)),
        told.errors);
  }

  /**
   * The sum of a global index.
   *
   * @param state as its table says
   * @param built how many regions are built, as its table says
   * @param answers as of a local index
   * @param more what else went wrong
   */
  static IndexStatus.Global global(
      IndexDefinition index,
      State state,
      int built,
      List<RegionAnswer<RegionStatus>> answers,
      List<String> more) {
    Told told = told(index, answers);
    told.errors.addAll(more);
    int repairs = Math.toIntExact(told.sum(IndexState::pending));
    long repairedUpTo = repairedUpTo(told.states, answers.size());
    return new IndexStatus.Global(
        index, state, answers.size(), built, build(told), repairs, repairedUpTo, told.errors);
  }

  private static IndexStatus.Build build(Told told) {
    List<Build> builds = told.states.stream().map(IndexState::build).toList();
    long rows = builds.stream().mapToLong(Build::rows).sum();
    long bytes = builds.stream().mapToLong(Build::bytes).sum();
    long of = builds.stream().mapToLong(Build::of).sum();
    double bytesPerMilli =
        builds.stream()
            .filter(b -> b.millis() > 0)
            .mapToDouble(b -> (double) b.bytes() / b.millis())
            .sum();
    Optional<Duration> left =
        bytesPerMilli > 0
            ? Optional.of(Duration.ofMillis((long) ((of - bytes) / bytesPerMilli)))
            : Optional.empty();
    return new IndexStatus.Build(rows, bytes, of, left);
  }

  private static Told told(IndexDefinition index, List<RegionAnswer<RegionStatus>> answers) {
    Optional<String> ofAll = failureOfAll(answers);
    if (ofAll.isPresent()) {
      return new Told(List.of(), new ArrayList<>(List.of(ofAll.get())));
    }
    List<IndexState> states = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    for (RegionAnswer<RegionStatus> answer : answers) {
      Optional<IndexState> state = stateOf(index, answer);
      state.ifPresent(states::add);
      errorOf(index, answer, state).ifPresent(errors::add);
    }
    shorten(errors);
    long nothing =
        answers.stream().filter(a -> a.answer().isEmpty() && a.failure().isEmpty()).count();
    if (nothing > 0) {
      errors.add(
          nothing
              + (nothing == 1 ? " region has" : " regions have")
              + " nothing to say: is Spyhop installed on their servers?");
    }
    return new Told(states, errors);
  }

  /** Why no region answers, if that is the same of all of them: it is said once. */
  static Optional<String> failureOfAll(List<? extends RegionAnswer<?>> answers) {
    List<String> failures = answers.stream().map(RegionAnswer::failure).distinct().toList();
    return failures.size() == 1
        ? failures.stream().filter(f -> !f.isEmpty()).map(StatusSummary::firstLine).findFirst()
        : Optional.empty();
  }

  private static long repairedUpTo(List<IndexState> states, int regions) {
    return states.size() == regions
        ? states.stream().mapToLong(IndexState::repairedUpTo).min().orElse(0)
        : 0;
  }

  private static void shorten(List<String> errors) {
    int more = errors.size() - MAX_ERRORS;
    if (more > 0) {
      errors.subList(MAX_ERRORS, errors.size()).clear();
      errors.add("and " + more + " more");
    }
  }

  private static boolean isActive(
      List<IndexState> states, List<RegionAnswer<RegionStatus>> answers) {
    return states.size() == answers.size()
        && states.stream().allMatch(s -> s.covered() == s.files());
  }

  private static Optional<IndexState> stateOf(
      IndexDefinition index, RegionAnswer<RegionStatus> answer) {
    return answer
        .answer()
        .filter(s -> s.region().equals(answer.region()))
        .flatMap(
            s ->
                s.indexes().stream()
                    .filter(i -> i.index().equals(index.name()))
                    .filter(i -> i.incarnation() == index.incarnation())
                    .findFirst());
  }

  private static Optional<String> errorOf(
      IndexDefinition index, RegionAnswer<RegionStatus> answer, Optional<IndexState> state) {
    String on = "region " + answer.region() + " on " + answer.server() + ": ";
    if (!answer.failure().isEmpty()) {
      return Optional.of(on + firstLine(answer.failure()));
    }
    Optional<String> unreadable =
        answer
            .answer()
            .flatMap(
                s ->
                    s.unreadable().stream()
                        .filter(u -> u.contains("'" + index.name() + "'"))
                        .findFirst());
    return unreadable
        .or(() -> state.map(IndexState::lastError).filter(e -> !e.isEmpty()))
        .map(e -> on + firstLine(e));
  }

  /** Messages of HBase's client go on with those of all tries, and their stacks. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }
}
