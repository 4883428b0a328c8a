/**
 * The microbenchmark of the REMIX slides on HBase: seeks, and seeks with fifty rows, in a table
 * whose rows are spread at random over several HFiles, through a sorted view, through HBase's heap
 * and in one compacted file. {@link io.spyhop.bench.remix.RemixBench} runs it.
 */
package io.spyhop.bench.remix;
