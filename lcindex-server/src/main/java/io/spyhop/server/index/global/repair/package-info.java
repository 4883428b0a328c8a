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
 */
package io.spyhop.server.index.global.repair;
