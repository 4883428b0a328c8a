/**
 * The multi-dimensional range queries of the LCIndex paper (Feng et al., <i>LCIndex</i>, section
 * IV, Table IV) over TPC-H ORDERS, asked by plain filtered scans and through Spyhop.
 *
 * <p>{@link io.spyhop.bench.mdrq.MdrqQuery} has the queries, {@link
 * io.spyhop.bench.mdrq.RegionScans} is the plain side, {@link io.spyhop.bench.mdrq.Answers} says
 * whether two answers are the same to the last cell, {@link io.spyhop.bench.mdrq.Trial} takes
 * times. {@link io.spyhop.bench.mdrq.MdrqDemo} and {@link io.spyhop.bench.mdrq.MdrqBench} are made
 * of these; their reports are rows of figures by the keys of the JSON output.
 *
 * <p>A {@link io.spyhop.bench.mdrq.State} of the benchmark has a name, a {@link
 * io.spyhop.bench.mdrq.Load}, by which the data comes into it, and a {@link
 * io.spyhop.bench.mdrq.Measurement}: what is asked then. A new one is a new line there.
 */
package io.spyhop.bench.mdrq;
