package io.spyhop.client.internal.plan;

import com.google.common.base.Strings;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionPlan.Actual;
import io.spyhop.core.protocol.RegionPlan.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Shows region plans as an aligned table, one line a region. Stateless, thread-safe. */
public final class PlanTable {
  private static final double NANOS_PER_MILLI = 1_000_000;
  private static final String NONE = "-";

  private PlanTable() {}

  private record Column(String title, boolean number, Function<RegionPlan, String> value) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("region", false, RegionPlan::region),
          new Column("server", false, RegionPlan::server),
          new Column("path", false, p -> p.path().name().toLowerCase(Locale.ROOT)),
          new Column("driving", false, p -> p.driving().isEmpty() ? NONE : p.driving()),
          new Column("estimated", true, PlanTable::estimated),
          new Column("records", true, actual(Actual::records)),
          new Column("covered", true, p -> Integer.toString(p.filesCovered())),
          new Column("missing", true, p -> Integer.toString(p.filesMissing())),
          new Column("memstore", true, p -> Long.toString(p.memstoreCells())),
          new Column("candidates", true, actual(Actual::candidates)),
          new Column("re-reads", true, actual(Actual::rereads)),
          new Column("rows", true, actual(Actual::rows)),
          new Column("ms", true, p -> p.actual().map(PlanTable::millis).orElse(NONE)),
          new Column("reason", false, PlanTable::reason));

  /** The table, a line of titles first, every line ended by a newline. */
  public static String of(List<RegionPlan> plans) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(COLUMNS.stream().map(Column::title).toList());
    for (RegionPlan plan : plans) {
      lines.add(COLUMNS.stream().map(c -> c.value().apply(plan)).toList());
    }
    int[] widths = widths(lines);
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(align(line, widths).stripTrailing()).append('\n'));
    return text.toString();
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

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[COLUMNS.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    return widths;
  }

  private static String align(List<String> line, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      text.append(i == 0 ? "" : "  ");
      text.append(
          COLUMNS.get(i).number()
              ? Strings.padStart(line.get(i), widths[i], ' ')
              : Strings.padEnd(line.get(i), widths[i], ' '));
    }
    return text.toString();
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
