/**
 * Finds out which openings of a base table's regions were watched: marks in the index table,
 * compared with what hbase:meta and ZooKeeper say (docs/decisions/0021).
 */
package io.spyhop.server.index.global.opening;
