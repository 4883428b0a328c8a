/**
 * The offline repair of global indexes (DELI, section V). {@link
 * io.spyhop.server.index.global.repair.RepairQueue} is the server's one object, {@link
 * io.spyhop.server.index.global.repair.RegionRepair} each region's.
 *
 * <p>What flushes and compactions drop is seen by a {@link
 * io.spyhop.server.index.global.repair.CellTap}, judged by {@link
 * io.spyhop.server.index.global.repair.ObsoleteVersions}, kept in a {@link
 * io.spyhop.server.index.global.repair.RepairLists} and, a while later, looked at again and deleted
 * by the {@link io.spyhop.server.index.global.repair.EntryRemover}. Only the last decides; all
 * before are hints.
 *
 * <p>One obsolete version:
 *
 * <ol>
 *   <li>A flush or compaction drops an overwritten version. {@code CellTap}, between HBase's {@code
 *       StoreScanner} and its heap, shows each stored cell to {@code RepairStream} and {@code
 *       ObsoleteVersions} (Algorithm 3). The {@code RepairListWriter} has the list on disk before
 *       the flush or compaction commits; until then it is pending in {@code RepairLists}.
 *   <li>Of an index with staged repair, and where another coprocessor has wrapped the scanner, a
 *       compaction leaves only a {@code StagedNote}, and {@code StagedWork} reads its inputs after
 *       it. What was dropped in memory alone the log still has: it waits for a flush ({@code
 *       LoggedCells}).
 *   <li>{@code RepairQueue.tick} promotes lists of committed flushes and compactions. After the
 *       grace period {@code EntryRepairs} gives their entries to {@code EntryRemover}: rows are
 *       locked, stored cells are looked at ({@code PhysicalCells}), and entries without a cell are
 *       deleted.
 *   <li>{@code FencedDeletes} asks each other index server for its time, proves that the base
 *       region is still this server's ({@code Ownership}), and sends each one delete. The index
 *       region's {@code RemovalGuard} refuses one that comes late (docs/decisions/0023).
 *   <li>Then the list goes. A region that opens takes up lists that it, or a region that is no
 *       more, left behind.
 * </ol>
 */
package io.spyhop.server.index.global.repair;
