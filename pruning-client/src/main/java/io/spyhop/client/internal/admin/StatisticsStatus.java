package io.spyhop.client.internal.admin;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.client.RegionStatistics;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.RegionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/** Collects the status of columns that have statistics alone. Stateless, thread-safe. */
public final class StatisticsStatus {
  private final RegionCalls regions;

  /** Asks regions through these calls. */
  public StatisticsStatus(RegionCalls regions) {
    this.regions = regions;
  }

  /** Has regions take note of the table's definitions now; one that does not answer does later. */
  public void refresh(TableName table) throws IOException {
    regions.ask(table, RegionRequest.of(RegionRequest.Kind.REFRESH), RegionStatus::decode);
  }

  /** The status of definitions, in the order given. */
  public List<IndexStatus> of(TableName table, List<IndexDefinition> definitions)
      throws IOException {
    if (definitions.isEmpty()) {
      return List.of();
    }
    List<RegionAnswer<SummaryAnswer>> answers = ask(table);
    if (answers.stream().anyMatch(a -> a.answer().isPresent() && !isKnown(a, definitions))) {
      refresh(table);
      answers = ask(table);
    }
    List<RegionAnswer<SummaryAnswer>> latest = answers;
    return definitions.stream().map(d -> status(d, latest)).toList();
  }

  /** What every region tells of its columns, in row order. */
  public List<RegionStatistics> ofRegions(TableName table) throws IOException {
    return ask(table).stream().map(StatisticsStatus::ofRegion).toList();
  }

  private static RegionStatistics ofRegion(RegionAnswer<SummaryAnswer> answer) {
    Optional<RegionSummary> known = summary(answer).filter(RegionSummary::isKnown);
    String why =
        summary(answer)
            .map(RegionSummary::unknown)
            .orElse(("it does not answer " + answer.failure()).strip());
    List<RegionStatistics.Column> columns = new ArrayList<>();
    known.ifPresent(
        s ->
            s.union()
                .columns()
                .forEach(
                    (name, c) ->
                        columns.add(
                            new RegionStatistics.Column(
                                name.toString(), c.type().name(), c.toString(), c.heapSize()))));
    columns.sort(Comparator.comparing(RegionStatistics.Column::name));
    return new RegionStatistics(
        answer.region(),
        answer.server(),
        Bytes.toStringBinary(answer.location().getRegion().getStartKey()),
        known.isPresent() ? "" : why,
        known.map(s -> s.occupied().isEmpty()).orElse(false),
        known.map(RegionSummary::version).orElse(0L),
        columns);
  }

  private List<RegionAnswer<SummaryAnswer>> ask(TableName table) throws IOException {
    return regions.ask(table, SummaryRequest.first().toRegionRequest(), SummaryAnswer::decode);
  }

  private static Optional<RegionSummary> summary(RegionAnswer<SummaryAnswer> answer) {
    return answer.answer().flatMap(SummaryAnswer::whole);
  }

  private static boolean isKnown(
      RegionAnswer<SummaryAnswer> answer, List<IndexDefinition> definitions) {
    return definitions.stream().allMatch(d -> isKnown(answer, d));
  }

  private static boolean isKnown(RegionAnswer<SummaryAnswer> answer, IndexDefinition definition) {
    return summary(answer)
        .filter(RegionSummary::isKnown)
        .map(s -> s.union().columns().get(definition.column()))
        .filter(c -> c.type() == definition.type())
        .isPresent();
  }

  private static IndexStatus status(
      IndexDefinition definition, List<RegionAnswer<SummaryAnswer>> answers) {
    long known = answers.stream().filter(a -> isKnown(a, definition)).count();
    return new IndexStatus.Statistics(
        definition,
        known == answers.size() ? State.ACTIVE : State.BUILDING,
        answers.size(),
        (int) known,
        bytes(definition, answers),
        errors(answers));
  }

  private static long bytes(IndexDefinition definition, List<RegionAnswer<SummaryAnswer>> answers) {
    return answers.stream()
        .flatMap(a -> summary(a).stream())
        .flatMap(s -> Optional.ofNullable(s.union().columns().get(definition.column())).stream())
        .mapToLong(ColumnSummary::heapSize)
        .sum();
  }

  private static List<String> errors(List<RegionAnswer<SummaryAnswer>> answers) {
    Optional<String> ofAll = StatusSummary.failureOfAll(answers);
    if (ofAll.isPresent()) {
      return List.of(ofAll.get());
    }
    List<String> errors = new ArrayList<>();
    for (RegionAnswer<SummaryAnswer> a : answers) {
      String why =
          summary(a).map(RegionSummary::unknown).orElse("it does not answer " + a.failure());
      if (!why.isEmpty() && errors.size() < StatusSummary.MAX_ERRORS) {
        errors.add("region " + a.region() + ": " + why.strip());
      }
    }
    return errors;
  }
}
