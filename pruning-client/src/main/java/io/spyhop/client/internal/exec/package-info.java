/**
 * Runs a query's scans: the table's key space is cut into ranges, one a region ({@link
 * io.spyhop.client.internal.exec.RowRange}); each range is an ordinary scan ({@link
 * io.spyhop.client.internal.exec.RowSource}); several run at once on one bounded pool ({@link
 * io.spyhop.client.internal.exec.ScanPool}); and {@link
 * io.spyhop.client.internal.exec.ParallelRows} hands out their rows range by range, so that they
 * come in row-key order.
 *
 * <p>No thread of the pool ever waits for the reader of the rows: a range whose buffer is full
 * leaves its thread and is scheduled again when the buffer has been read. Queries that are read
 * slowly, or while another is read, therefore cannot block each other.
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.exec;
