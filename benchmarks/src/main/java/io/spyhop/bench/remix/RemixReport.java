package io.spyhop.bench.remix;

import java.util.List;

/**
 * What sorted views are worth on this machine.
 *
 * @param micro seeks and short scans
 * @param view what views take, and how fast they are made
 * @param compaction what compacting less saves
 */
public record RemixReport(List<Micro> micro, List<View> view, List<Compaction> compaction) {
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
