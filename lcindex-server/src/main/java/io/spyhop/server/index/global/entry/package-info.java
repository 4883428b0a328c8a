/**
 * Computes the entries that a write needs ({@link
 * io.spyhop.server.index.global.entry.BatchEntries}), and has the interfaces to write and delete
 * them: the common ground of writing and repairing entries.
 */
package io.spyhop.server.index.global.entry;
