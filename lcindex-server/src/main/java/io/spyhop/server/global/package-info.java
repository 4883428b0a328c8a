/**
 * Global indexes on a region server (DELI): entries are written before the base write and without
 * reading ({@link io.spyhop.server.global.RegionGlobals}), built for data that is there ({@link
 * io.spyhop.server.global.EntryBuilder}), and read page by page ({@link
 * io.spyhop.server.global.EntryPages}).
 */
package io.spyhop.server.global;
