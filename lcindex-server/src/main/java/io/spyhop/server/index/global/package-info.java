/**
 * Global indexes on a region server (DELI): entries are written before the base write and without
 * reading ({@link io.spyhop.server.index.global.RegionGlobals}), built for data that is there
 * ({@link io.spyhop.server.index.global.EntryBuilder}), and read page by page ({@link
 * io.spyhop.server.index.global.EntryPages}).
 */
package io.spyhop.server.index.global;
