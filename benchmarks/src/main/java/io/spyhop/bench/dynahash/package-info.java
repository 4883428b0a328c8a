/**
 * The experiments of the DynaHash paper on HBase: what a rebalance moves and how long it takes,
 * what buckets cost, and what a rebalance and its clients do to each other. {@link
 * io.spyhop.bench.dynahash.DynahashBench} runs them.
 */
package io.spyhop.bench.dynahash;
