/**
 * Chooses how a scan is answered. {@link io.spyhop.server.query.plan.ScanPredicate} is what a scan
 * asks, {@link io.spyhop.server.query.plan.ScanChecks} refuses what cannot be answered, and {@link
 * io.spyhop.server.query.plan.QueryPlanner} compares the costs ({@code CostModel}) of the indexes
 * that can drive the predicate with that of the plain scan.
 */
package io.spyhop.server.query.plan;
