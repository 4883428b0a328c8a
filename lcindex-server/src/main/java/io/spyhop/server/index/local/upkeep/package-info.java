/**
 * Keeps index files in step with HFiles. {@link io.spyhop.server.index.local.upkeep.IndexService}
 * is the server's one object; each region has a {@link
 * io.spyhop.server.index.local.upkeep.RegionMaintainer} that compares its HFiles with its index
 * files and statistics, and starts jobs for the difference.
 */
package io.spyhop.server.index.local.upkeep;
