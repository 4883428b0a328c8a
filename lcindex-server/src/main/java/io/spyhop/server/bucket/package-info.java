/**
 * Bucketed tables on servers (DynaHash): their regions are buckets, and stay so. {@link
 * io.spyhop.server.bucket.BucketSplitPolicy} says when and where a region is split, {@link
 * io.spyhop.server.bucket.BucketRules} what a master refuses, {@link
 * io.spyhop.server.bucket.RebalanceClaims} who may move buckets.
 */
package io.spyhop.server.bucket;
