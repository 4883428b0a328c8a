package io.spyhop.client.internal.plan;

import com.google.common.base.Strings;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionPlan.Actual;
import io.spyhop.core.protocol.RegionPlan.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows region plans as an aligned table, one line a region. Stateless, thread-safe. */
public final class PlanTable {
  private static final double NANOS_PER_MILLI = 1_000_000;
  private static final String NONE = "-";
  private static final String GAP = "  ";

  private PlanTable() {}

  /**
   * A column.
   *
   * @param detail whether a narrow table does without it
   */
  private record Column(
      String title, boolean number, boolean detail, Function<RegionPlan, String> value) {
    static Column text(String title, Function<RegionPlan, String> value) {
      return new Column(title, false, false, value);
    }

    static Column number(String title, Function<RegionPlan, String> value) {
      return new Column(title, true, false, value);
    }

    Column asDetail() {
      return new Column(title, number, true, value);
    }
  }

  /** A column with what stands in it, its title first. */
  private record Shown(Column column, List<String> texts, int width) {
    static Shown of(Column column, List<RegionPlan> plans) {
      List<String> texts =
          Stream.concat(Stream.of(column.title()), plans.stream().map(column.value())).toList();
      return new Shown(column, texts, texts.stream().mapToInt(String::length).max().getAsInt());
    }

    String text(int line) {
      return column.number()
          ? Strings.padStart(texts.get(line), width, ' ')
          : Strings.padEnd(texts.get(line), width, ' ');
    }
  }

  private static final List<Column> COLUMNS =
      List.of(
          Column.text("region", RegionPlan::region),
          Column.text("server", RegionPlan::server).asDetail(),
          Column.text("path", p -> p.path().name().toLowerCase(Locale.ROOT)),
          Column.text("driving", p -> p.driving().isEmpty() ? NONE : p.driving()),
          Column.number("estimated", PlanTable::estimated),
          Column.number("records", actual(Actual::records)),
          Column.number("covered", p -> Integer.toString(p.filesCovered())).asDetail(),
          Column.number("missing", p -> Integer.toString(p.filesMissing())).asDetail(),
          Column.number("memstore", p -> Long.toString(p.memstoreCells())).asDetail(),
          Column.number("candidates", actual(Actual::candidates)).asDetail(),
          Column.number("re-reads", actual(Actual::rereads)).asDetail(),
          Column.number("rows", actual(Actual::rows)),
          Column.number("ms", p -> p.actual().map(PlanTable::millis).orElse(NONE)).asDetail(),
          Column.text("reason", PlanTable::reason));

  /**
   * The table, a line of titles first, every line ended by a newline.
   *
   * @param width that lines have at most, if leaving out details makes them so narrow
   */
  public static String of(List<RegionPlan> plans, int width) {
    List<Shown> shown = new ArrayList<>();
    COLUMNS.forEach(c -> shown.add(Shown.of(c, plans)));
    while (width(shown) > width && shown.stream().anyMatch(s -> s.column().detail())) {
      shown.stream()
          .filter(s -> s.column().detail())
          .max(Comparator.comparingInt(Shown::width))
          .ifPresent(shown::remove);
    }
    StringBuilder text = new StringBuilder();
    for (int line = 0; line <= plans.size(); line++) {
      int at = line;
      String cells = shown.stream().map(s -> s.text(at)).collect(Collectors.joining(GAP));
      text.append(cells.stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static int width(List<Shown> shown) {
    return shown.stream().mapToInt(s -> s.width() + GAP.length()).sum() - GAP.length();
  }

  /** Index records that a region expects to read; empty where it plans a scan. */
  public static Optional<Long> estimatedRecords(RegionPlan plan) {
    if (plan.path() == Path.SCAN) {
      return Optional.empty();
    }
    return plan.estimates().stream()
        .filter(e -> e.index().equals(plan.driving()))
        .map(RegionPlan.Estimate::records)
        .findFirst();
  }

  private static String estimated(RegionPlan plan) {
    String scan = plan.scanCells() == 0 ? NONE : "~" + plan.scanCells() + " cells";
    return estimatedRecords(plan).map(records -> Long.toString(records)).orElse(scan);
  }

  private static Function<RegionPlan, String> actual(Function<Actual, Long> number) {
    return p -> p.actual().map(number).map(n -> Long.toString(n)).orElse(NONE);
  }

  private static String millis(Actual actual) {
    return String.format(Locale.ROOT, "%.1f", actual.nanos() / NANOS_PER_MILLI);
  }

  private static String reason(RegionPlan plan) {
    String fallback = plan.actual().map(Actual::fallback).orElse("");
    return fallback.isEmpty() ? plan.reason() : plan.reason() + "; fell back: " + fallback;
  }
}
