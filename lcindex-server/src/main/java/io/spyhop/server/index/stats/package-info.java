/**
 * The statistics of regions by which clients leave regions out (package {@link
 * io.spyhop.core.prune}): gathered from what flushes and compactions write and from the stream of
 * writes, kept beside the HFiles, handed out on request. Start with {@link
 * io.spyhop.server.index.stats.RegionStatistics}.
 */
package io.spyhop.server.index.stats;
