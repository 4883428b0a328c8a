/**
 * Answers scans from indexes, exactly. {@link io.spyhop.server.query.RegionQueries} is the entry.
 * One scan:
 *
 * <ol>
 *   <li>{@code RegionQueries.open} gets each scan with its whole filter: {@code ScanFilter} finds
 *       the predicate in it, {@code CellVisibility} what the caller may see, and {@code
 *       OrderedQueries} serves scans in the order of values.
 *   <li>{@link io.spyhop.server.query.plan} has the choice of the cheapest way.
 *   <li>{@link io.spyhop.server.query.scan} has a scanner for each way. The region's own scanner
 *       stays open below: it pins the read point, and takes over if anything fails before the first
 *       row.
 *   <li>{@link io.spyhop.server.query.candidate} finds the rows that may match, and decides them.
 *   <li>{@link io.spyhop.server.query.report} keeps what was done.
 * </ol>
 *
 * <p>Where security filters hide cells no record decides, and every row is read again through the
 * scan's own filters (docs/decisions/0028).
 */
package io.spyhop.server.query;
