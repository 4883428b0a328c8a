/**
 * Rows in the order of a column's values: regions hand out theirs in that order, and {@link
 * io.spyhop.client.internal.order.ValueRows} merges them; what a region does not hand out so is
 * read in row-key order and sorted ({@link io.spyhop.client.internal.order.SortedRows},
 * docs/decisions/0039).
 */
package io.spyhop.client.internal.order;
