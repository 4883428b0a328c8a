/**
 * Bucketed tables (DynaHash, sections III to V): rows led by the reversed low-order bits of their
 * key's hash, so that a bucket of an extendible hash table is one contiguous range of rows, and a
 * region. Start with {@link io.spyhop.core.bucket.BucketOptions}, which a table declares; {@link
 * io.spyhop.core.bucket.BucketKeys} are its row keys, {@link io.spyhop.core.bucket.Directory} its
 * buckets and {@link io.spyhop.core.bucket.Rebalance} where they should be.
 */
package io.spyhop.core.bucket;
