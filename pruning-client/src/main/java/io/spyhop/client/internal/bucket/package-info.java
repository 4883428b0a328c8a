/**
 * Hides the prefixes of a bucketed table's rows from users: operations with users' keys become
 * operations on stored rows ({@link io.spyhop.client.internal.bucket.StoredOperations}), results
 * lose the prefix ({@link io.spyhop.client.internal.bucket.UserRows}), and scans run over all
 * buckets, merged or as they come ({@link io.spyhop.client.internal.bucket.BucketScans}).
 *
 * <p>Not part of the public interface; use {@link io.spyhop.client}.
 */
package io.spyhop.client.internal.bucket;
