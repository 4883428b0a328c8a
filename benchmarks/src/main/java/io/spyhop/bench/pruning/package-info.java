/**
 * The evaluation of the partition pruning paper (Huang et al., <i>Partition pruning for range query
 * on distributed log-structured merge-tree</i>, section 6): {@link
 * io.spyhop.bench.pruning.PruningBench} asks the filtered scans of {@link
 * io.spyhop.bench.pruning.PaperQuery} with and without pruning, at rest and while rows change, and
 * the whole queries of {@link io.spyhop.bench.pruning.Join}, and gives its figures.
 */
package io.spyhop.bench.pruning;
