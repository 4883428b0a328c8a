/**
 * Statistics of columns: counts, bounds and histograms of an index file ({@link
 * io.spyhop.core.stats.ColumnStatistics}), bounds and bloom filters of a region's files and
 * memstores ({@link io.spyhop.core.stats.RegionSummary}).
 */
package io.spyhop.core.stats;
