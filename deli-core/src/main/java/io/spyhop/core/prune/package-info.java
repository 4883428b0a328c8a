/**
 * Partition pruning: which regions a query need not ask (paper "Partition pruning for range query
 * on distributed log-structured merge-tree"). Start with {@link io.spyhop.core.prune.Pruner};
 * {@link io.spyhop.core.stats.RegionSummary} is what a client holds of a region, {@link
 * io.spyhop.core.protocol.SummaryAnswer} how it learns of it.
 */
package io.spyhop.core.prune;
