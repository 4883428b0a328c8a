package io.spyhop.bench.remix;

import io.spyhop.bench.order.OrderReport;
import java.util.List;

/**
 * The figures of sorted views.
 *
 * @param settings what was asked for
 * @param micro seeks and short scans
 * @param view what views take, and how fast they are made
 * @param upkeep what flushes and compactions take where there is a view
 * @param compaction what compacting less saves
 * @param load scans and writes side by side
 * @param top10 the first rows in the order of an index; null if not measured
 */
public record RemixReport(
    Settings settings,
    List<Micro> micro,
    List<View> view,
    List<Upkeep> upkeep,
    List<Compaction> compaction,
    List<Load> load,
    OrderReport.Top top10) {
  /** Sides: through a view, through HBase's heap, and in one compacted file. */
  public static final String VIEW = "view";

  public static final String HEAP = "heap";

  public static final String COMPACTED = "compacted";

  /** Ways: within the region server's JVM, and by a client. */
  public static final String PROCESS = "process";

  public static final String RPC = "rpc";

  /**
   * What was asked for.
   *
   * @param rows of each table
   * @param repetitions measured calls of each kind
   */
  public record Settings(int rows, int repetitions) {}

  /** The same with the first rows in the order of an index. */
  public RemixReport with(OrderReport order) {
    return new RemixReport(settings, micro, view, upkeep, compaction, load, order.top10());
  }

  /** Whether all that was compared was the same. */
  public boolean allEqual() {
    return micro.stream().allMatch(Micro::equal)
        && view.stream().allMatch(View::equal)
        && upkeep.stream().allMatch(Upkeep::equal)
        && compaction.stream().allMatch(Compaction::equal)
        && load.stream().allMatch(Load::equal)
        && (top10 == null || top10.equal());
  }

  /**
   * One measurement.
   *
   * @param runs HFiles
   * @param encoding of their blocks
   * @param side {@code view}, {@code heap} or {@code compacted}
   * @param op {@code seek} reads one row, {@code seek50} fifty
   * @param via {@code process} or {@code rpc}
   * @param us microseconds, a median
   * @param equal whether the rows were those of the heap
   */
  public record Micro(
      int runs, String encoding, String side, String op, String via, double us, boolean equal) {}

  /**
   * The view of so many HFiles.
   *
   * @param bytes_per_key bytes of memory for each cell
   * @param build_keys_per_s cells merged in a second
   * @param extend_keys_per_s cells of the view in a second, when one of the HFiles is added to it
   * @param equal whether the extended view has as many keys as the merged one
   */
  @SuppressWarnings("checkstyle:RecordComponentName")
  public record View(
      int runs,
      double bytes_per_key,
      double build_keys_per_s,
      double extend_keys_per_s,
      boolean equal) {}

  /**
   * Flushes, or compactions, of twins.
   *
   * @param op {@code flush} or {@code compaction}
   * @param without_ms median milliseconds in a table without the option
   * @param with_ms the same with a view of all its HFiles; what it takes to make one is apart
   * @param equal whether both tables had the same rows afterwards
   */
  @SuppressWarnings("checkstyle:RecordComponentName")
  public record Upkeep(String op, double without_ms, double with_ms, boolean equal) {}

  /**
   * Scans and writes by several clients, with a flush every now and then.
   *
   * @param load {@code scans} is 95% scans of 1 to 100 rows and 5% inserts, {@code updates} half
   *     scans and half updates
   * @param setting how the table is compacted, and whether it has views
   * @param ops_per_s operations a second of all clients together
   * @param write_amplification bytes that flushes and compactions wrote for each byte put
   * @param hfiles HFiles at the end
   * @param equal whether all rows have the values that were put last
   */
  @SuppressWarnings("checkstyle:RecordComponentName")
  public record Load(
      String load,
      String setting,
      double ops_per_s,
      double write_amplification,
      int hfiles,
      boolean equal) {}

  /**
   * A load with updates under a setting.
   *
   * @param bytes_put bytes of cells that were put
   * @param bytes_written bytes that flushes and compactions wrote
   * @param scan_us microseconds of a seek with fifty rows afterwards
   * @param equal whether all rows have the values that were put last
   */
  @SuppressWarnings("checkstyle:RecordComponentName")
  public record Compaction(
      String setting, long bytes_put, long bytes_written, double scan_us, boolean equal) {}
}
