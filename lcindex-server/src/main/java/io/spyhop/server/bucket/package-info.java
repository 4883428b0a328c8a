/**
 * Bucketed tables on servers (DynaHash): their regions are buckets, and stay so. {@link
 * io.spyhop.server.bucket.BucketSplitPolicy} says when and where a region is split, {@link
 * io.spyhop.server.bucket.BucketRules} what a master refuses; {@link
 * io.spyhop.server.bucket.Rebalances} move them, one after the other, and note how far they are,
 * and {@link io.spyhop.server.bucket.BucketPart} holds up the writes of one that is about to go.
 *
 * <p>One rebalance:
 *
 * <ol>
 *   <li>A client's request is checked, noted as BEGIN in the {@code RebalanceJournal}, and run by
 *       {@code RebalanceRun}; a second one of the table is refused. A master that starts goes on
 *       with what its journal has.
 *   <li>{@code RebalanceRun} looks where the buckets are ({@code MasterCluster}), plans (Algorithm
 *       2), notes the plan, and moves one bucket after the other:
 *   <li><i>Data movement.</i> The new server's {@code Arrivals} ask the old one for the region's
 *       {@code Shipment}, fetch the index files that are missing, and keep the sweep away from
 *       them. Once the pause since the last bucket is over the old server flushes, and what came of
 *       that is fetched, too.
 *   <li><i>Prepare.</i> {@code BucketPart} on the old server refuses the region's writes before any
 *       other part has seen them; it flushes once more, and the rest is fetched.
 *   <li><i>Commit.</i> COMMIT is noted; HBase's own procedure moves the region, which finds its
 *       index files as after a restart.
 *   <li>DONE is noted when all buckets are in place, ABORTED with the reason if that cannot be.
 *       What fails is tried again from the plan on. After HBase's balancer has run, {@code
 *       Rebalances.even} asks for the same where buckets are uneven.
 * </ol>
 */
package io.spyhop.server.bucket;
