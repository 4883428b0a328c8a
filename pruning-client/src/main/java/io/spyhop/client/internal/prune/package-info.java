/**
 * Partition pruning at the client (paper "Partition pruning for range query on distributed
 * log-structured merge-tree"): what is known of each region ({@link
 * io.spyhop.client.internal.prune.StatisticsCache}), how it is kept as fresh as queries need it
 * ({@link io.spyhop.client.internal.prune.Synchroniser}), which servers say that nothing has
 * changed ({@link io.spyhop.client.internal.prune.Digests}), which regions a query leaves out
 * ({@link io.spyhop.client.internal.prune.Selection}), and the rows of the others ({@link
 * io.spyhop.client.internal.prune.PrunedRows}). {@link
 * io.spyhop.client.internal.prune.TablePruning} is the entry.
 *
 * <p>What is not known to be useless is read: missing, old or unreadable statistics cost time,
 * never rows.
 *
 * <p>One query:
 *
 * <ol>
 *   <li>{@code Prunability} tells whether statistics of declared columns could answer the predicate
 *       at all.
 *   <li>{@code Selection} cuts the range at the regions' boundaries; {@code Pruner} judges each
 *       condition on the union of a region's HFiles and memstore (paper, algorithm 1).
 *   <li>Parts that may match are scanned at once: old statistics can only have too little in them
 *       to leave something out. For the others the {@code Synchroniser} sends requests after the
 *       query began, at most one at a time to a region. Queries that wait for the same region share
 *       it; none waits for a region that it does not ask about.
 *   <li>What is sent together is a round. Statistics count for a query if their round's number
 *       exceeds the last one sent when it began.
 *   <li>Servers with many of these regions are asked for a digest first: regions that are as the
 *       client knows them need not be asked.
 *   <li>{@code RegionExchange} sends each region its epoch and version, one multi-get per server,
 *       and gets what has changed; regions that gave no answer last time are in a call apart. Parts
 *       that may match after all are scanned, too, and merged by key.
 * </ol>
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.prune;
