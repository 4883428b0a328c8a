/**
 * Answering a scan from indexes, exactly. {@link io.spyhop.server.query.RegionQueries} is the
 * entry, {@link io.spyhop.server.query.CandidateCollector} the algorithm and its proof sketch.
 */
package io.spyhop.server.query;
