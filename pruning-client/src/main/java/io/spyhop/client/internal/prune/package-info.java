/**
 * Partition pruning at the client (paper "Partition pruning for range query on distributed
 * log-structured merge-tree"): what is known of each region ({@link
 * io.spyhop.client.internal.prune.StatisticsCache}), how it is kept as fresh as queries need it
 * ({@link io.spyhop.client.internal.prune.Synchroniser}), which regions a query leaves out ({@link
 * io.spyhop.client.internal.prune.Selection}), and the rows of the others ({@link
 * io.spyhop.client.internal.prune.PrunedRows}). {@link
 * io.spyhop.client.internal.prune.TablePruning} is the entry.
 *
 * <p>What is not known to be useless is read: missing, old or unreadable statistics cost time,
 * never rows.
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.prune;
