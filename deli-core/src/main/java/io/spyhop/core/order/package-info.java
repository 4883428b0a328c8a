/**
 * The order of a query's rows by the value of a column: what it is ({@link
 * io.spyhop.core.order.ValueOrder}), where a reader is in it ({@link
 * io.spyhop.core.order.ValuePosition}), and how a region is asked for it ({@link
 * io.spyhop.core.order.ValueOrderFilter}, docs/decisions/0039).
 */
package io.spyhop.core.order;
