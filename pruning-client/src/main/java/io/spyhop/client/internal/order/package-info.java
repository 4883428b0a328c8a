/**
 * Rows in the order of a column's values: regions hand out theirs in that order, and {@link
 * io.spyhop.client.internal.order.ValueRows} merges them; what a region does not hand out so is
 * read in row-key order and sorted ({@link io.spyhop.client.internal.order.SortedRows},
 * docs/decisions/0039).
 *
 * <p>One query:
 *
 * <ol>
 *   <li>The condition is bound with "the column has a value that decodes", so that the plain
 *       filtered scan has exactly the rows of the answer. Ranges are cut at the regions'
 *       boundaries; each region is asked by a scan with a {@code ValueOrderFilter}, side by side,
 *       and for more only when its next row is needed ({@code RegionFeed}).
 *   <li>On the server {@code OrderedQueries} refuses scans that were opened again elsewhere, reach
 *       beyond the region, or have no such order; the client is told by a cell ({@code Refusal},
 *       docs/decisions/0051). {@code MemoryEntries} sorts what has no index file, {@code
 *       FileEntries} reads IFiles upwards or downwards (rows of one key always upwards), {@code
 *       EntryMerge} merges them.
 *   <li>A row is handed out where an entry has the key of the value that it then shows, and nowhere
 *       else. Rows that share a cut or rounded key are ordered by their values.
 *   <li>A scan that was lost goes on behind the last row's value and key, in regions that are
 *       listed again.
 * </ol>
 */
package io.spyhop.client.internal.order;
