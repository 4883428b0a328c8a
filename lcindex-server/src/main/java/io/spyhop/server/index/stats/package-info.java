/**
 * The statistics of regions by which clients leave regions out (package {@link
 * io.spyhop.core.prune}): gathered from what flushes and compactions write and from the stream of
 * writes, kept beside the HFiles, handed out on request. Start with {@link
 * io.spyhop.server.index.stats.RegionStatistics}.
 *
 * <p>One write, and one question:
 *
 * <ol>
 *   <li>A write is recorded under the region's lock for updates, before anyone can see it ({@code
 *       MemstoreStatistics}). What changes nothing takes no lock ({@code GrowingColumn}); values
 *       seen before are recognised by their stored bytes ({@code KnownValues}). A change becomes an
 *       entry of the bounded {@code ChangeLog}.
 *   <li>A flush opens a new {@code Generation} before its snapshot. {@code SummaryTap} sees what it
 *       writes; the HFile's statistics are published, and kept in a side file ({@code
 *       StatisticsDirectory}), before the store has the file ({@code StoreStatistics}). Only then
 *       older generations go. Compactions are watched the same way.
 *   <li>What was not watched (bulk loads, columns declared later, cells that passed by the hooks)
 *       is read by a STATISTICS job; until then the region does not know, and is asked. References
 *       of a split and HFileLinks use the statistics of the file behind them.
 *   <li>A question comes on a Get, from callers who may read the whole table. The answer is the log
 *       since the client's version, or in another epoch everything. An epoch ends whenever
 *       statistics shrink: after a flush, a compaction, a change of columns. See
 *       docs/decisions/0017.
 * </ol>
 */
package io.spyhop.server.index.stats;
