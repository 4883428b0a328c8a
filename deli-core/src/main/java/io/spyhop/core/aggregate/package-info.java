/**
 * Aggregates of a scan's rows: what is asked ({@link io.spyhop.core.aggregate.AggregateRequest}),
 * the groups that take rows' values and each other's partial results ({@link
 * io.spyhop.core.aggregate.Groups}), and the row in which a region sends one ({@link
 * io.spyhop.core.aggregate.PartialRow}, docs/decisions/0062). Servers and clients use the same
 * groups, so that it does not matter which of them has seen a row.
 */
package io.spyhop.core.aggregate;
