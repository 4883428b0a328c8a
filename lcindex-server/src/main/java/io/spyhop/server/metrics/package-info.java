/** The counters of a region server: {@link io.spyhop.server.metrics.ServerMetrics}. */
package io.spyhop.server.metrics;
