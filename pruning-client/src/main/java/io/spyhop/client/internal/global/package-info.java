/**
 * Asks global indexes: their regions ({@link io.spyhop.client.internal.global.IndexCalls}), entries
 * page by page ({@link io.spyhop.client.internal.global.EntryWalk}), the rows that may match a
 * query ({@link io.spyhop.client.internal.global.GlobalSearch}), and these rows, read from the base
 * table ({@link io.spyhop.client.internal.global.Candidates}).
 *
 * <p>One query:
 *
 * <ol>
 *   <li>The question is asked when a query's first row is: has a column that the predicate needs a
 *       global index, and has that few entries? {@code IndexCalls} asks the index table's regions
 *       for the entries in the key ranges, side by side ({@code EntryReading}). The first pages say
 *       which rows are built and watched; others are scanned (docs/decisions/0069).
 *   <li>A second index may leave out rows that the first one leads to. With a limit, entries of one
 *       value are read when their rows are wanted ({@code SettledRows}, docs/decisions/0072).
 *   <li>Beyond a bound, or if anything is refused or fails, the query takes its next path.
 *   <li>Row keys are sorted, each once, and read by the caller's own Gets with the whole predicate
 *       ({@code CandidateRows}). A stale entry finds a row that does not match, and is handed in
 *       for repair.
 *   <li>For the first rows in the order of values {@code OrderedSearch} walks entries forwards or
 *       backwards, and {@code OrderedReading} stops when enough rows are certain
 *       (docs/decisions/0042).
 * </ol>
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.global;
