/**
 * Which entries a write needs ({@link io.spyhop.server.index.global.entry.BatchEntries}), and who
 * writes and deletes them: what writing and repairing entries share.
 */
package io.spyhop.server.index.global.entry;
