/**
 * The DELI paper's evaluation: {@link io.spyhop.bench.deli.DeliBench} runs a write trial, a mixed
 * trial and a compaction trial on a {@link io.spyhop.bench.BenchCluster}, asks everything about
 * indexes of a {@link io.spyhop.bench.deli.Product}, and gives its figures.
 */
package io.spyhop.bench.deli;
