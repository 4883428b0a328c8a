/** Measures rows in the order of a column's values: {@link io.spyhop.bench.order.OrderBench}. */
package io.spyhop.bench.order;
