/**
 * Hides the prefixes of a bucketed table's rows from users: operations with users' keys become
 * operations on stored rows ({@link io.spyhop.client.internal.bucket.StoredOperations}), results
 * lose the prefix ({@link io.spyhop.client.internal.bucket.UserRows}), and scans run over all
 * buckets, merged or as they come ({@link io.spyhop.client.internal.bucket.BucketScans}).
 *
 * <p>One scan in the order of keys:
 *
 * <ol>
 *   <li>A scan of a part of the keys is sorted in memory; whole tables, first rows and what does
 *       not fit are merged.
 *   <li>{@code KeyOrderRows} has a {@code KeyOrderSource} for each region, all read side by side;
 *       each asks its region with a {@code KeyOrderFilter}. The server merges a scanner of each
 *       prefix at one read point ({@code KeyOrderScanner}).
 *   <li>A region that does not merge refuses, and the client merges its prefixes; one that is lost,
 *       or is another one since, is asked anew behind the last key.
 * </ol>
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.bucket;
