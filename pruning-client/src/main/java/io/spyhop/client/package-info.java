/**
 * The client: finds rows of HBase tables by value, and creates, drops and watches the indexes that
 * make it fast.
 *
 * <p>Start with {@link io.spyhop.client.Spyhop}. {@link io.spyhop.client.Query} is what is asked,
 * {@link io.spyhop.client.IndexedTable} runs it, {@link io.spyhop.client.RowCursor} hands out the
 * rows, {@link io.spyhop.client.QueryPlan} explains. {@link io.spyhop.client.IndexAdmin} manages
 * indexes. The packages below this one are not part of the public interface.
 */
package io.spyhop.client;
