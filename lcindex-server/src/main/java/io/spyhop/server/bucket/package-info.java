/**
 * Bucketed tables on servers (DynaHash): their regions are buckets, and stay so. {@link
 * io.spyhop.server.bucket.BucketSplitPolicy} says when and where a region is split, {@link
 * io.spyhop.server.bucket.BucketRules} what a master refuses; {@link
 * io.spyhop.server.bucket.Rebalances} move them, one after the other, and note how far they are,
 * and {@link io.spyhop.server.bucket.BucketPart} holds up the writes of one that is about to go.
 */
package io.spyhop.server.bucket;
