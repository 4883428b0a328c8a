/**
 * The index of memstores: a log of writes by which a query finds the rows of a memstore without
 * looking at each of its cells. It is kept for families that have an index in the columnar layout
 * (docs/decisions/0061), generation by generation, by {@code MemstoreStatistics}.
 *
 * <p>A {@link io.spyhop.server.index.memstore.WriteLog} takes each write as a {@code LoggedRow}:
 * its row key, and a {@code ValueCodes} code for each column, in {@code LogBlock}s. A {@link
 * io.spyhop.server.index.memstore.MemstoreIndex} is what a query sees of some logs.
 */
package io.spyhop.server.index.memstore;
