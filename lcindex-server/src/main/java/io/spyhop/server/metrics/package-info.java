/** What a region server counts: {@link io.spyhop.server.metrics.ServerMetrics}. */
package io.spyhop.server.metrics;
