package io.spyhop.server.query.scan;

import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.query.plan.QueryPlanner;
import io.spyhop.server.query.report.SlowQueries;

/**
 * The parts of a server that all its queries share.
 *
 * @param planner chooses the path
 * @param memory bounds what all queries hold
 * @param sortBudget bounds what one query holds in one region, in bytes
 * @param metrics counts
 * @param slow looks at queries that have ended
 */
public record QueryEnvironment(
    QueryPlanner planner,
    MemoryBudget memory,
    long sortBudget,
    ServerMetrics metrics,
    SlowQueries slow) {}
