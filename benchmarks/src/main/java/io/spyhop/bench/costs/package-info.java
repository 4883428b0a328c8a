/** Measures what reading costs, for the planner. */
package io.spyhop.bench.costs;
