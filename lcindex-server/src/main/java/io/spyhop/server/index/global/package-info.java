/**
 * Global indexes on a region server (DELI): entries are written before the base write and without
 * reading ({@link io.spyhop.server.index.global.RegionGlobals}), built for data that is there
 * ({@link io.spyhop.server.index.global.EntryBuilder}), and read page by page ({@link
 * io.spyhop.server.index.global.EntryPages}).
 *
 * <p>One write:
 *
 * <ol>
 *   <li>HBase calls when the rows are locked and the timestamps resolved: writes by {@code
 *       preBatchMutate}, increments and appends by {@code postIncrementBeforeWAL} and {@code
 *       postAppendBeforeWAL}, HFiles by {@code preBulkLoadHFile} ({@code RegionLoads} compares the
 *       loaded file with the one that was read, docs/decisions/0050). {@code GlobalPart} hands
 *       over; before the region is open {@code RefusingPart} refuses.
 *   <li>{@code RegionWrites} begins an {@code IndexWrite} for each index ({@code BulkEntries} for
 *       an HFile). {@code BatchEntries} makes an entry of each cell of the indexed column that will
 *       be stored: value key and row key with the cell's timestamp. Nothing is read, unless the
 *       index is kept in sync ({@code SyncReads}).
 *   <li>{@code IndexWriter} joins writes of the same moment ({@code WriteGroup}) and writes as the
 *       server's own user. Regions on this server are written directly ({@code LocalIndexRegions}),
 *       without a sync of their own where the base write goes into the same log behind them. Other
 *       servers get one call at a time each ({@code EntrySender}); what one does not take goes by
 *       HBase's client (docs/decisions/0018). Handlers of their own serve these calls ({@code
 *       IndexRpcScheduler}, docs/decisions/0016).
 *   <li>When all entries are acknowledged the base write goes on; otherwise it fails and the client
 *       tries again.
 *   <li>Rows from before the index are entered by {@code EntryBuilder}, begun by {@code
 *       RegionBuild}, on the servers that hold them and after a flush ({@code MemoryFlush}). {@code
 *       ControlRows} in the index table say which rows are done. When a definition goes or old
 *       cells come back, the notes begin a new epoch, and {@code EntrySweep} looks at all entries
 *       once the index is built again.
 *   <li>All this holds while the region is open on a server with Spyhop. {@code RegionOpening}
 *       notes that it is, and takes the note back before the region closes; a region whose last
 *       opening nobody noted is built again (docs/decisions/0021). {@code RegionGlobals.look} asks
 *       every few seconds whether what was built still is.
 * </ol>
 */
package io.spyhop.server.index.global;
