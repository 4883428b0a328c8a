/**
 * Workloads and measurements. {@link io.spyhop.bench.tpch} fills tables with TPC-H data, {@link
 * io.spyhop.bench.mdrq} asks the multi-dimensional range queries of the LCIndex paper both ways and
 * compares answers and times, {@link io.spyhop.bench.micro} has the JMH benchmarks. What runs long
 * tells a {@link io.spyhop.bench.Progress}; nothing here writes to a console.
 */
package io.spyhop.bench;
