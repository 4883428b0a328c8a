/**
 * What is known of values without reading them: counts, bounds and histograms per column. Start
 * with {@link io.spyhop.core.stats.ColumnStatistics}.
 */
package io.spyhop.core.stats;
