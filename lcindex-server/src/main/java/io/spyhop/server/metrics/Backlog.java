package io.spyhop.server.metrics;

/**
 * The HFiles without index files, as of the last comparison.
 *
 * @param files HFiles without all of their index files
 * @param bytes their size
 * @param deferred those for which no job could be queued, as the backlog is full
 * @param undecodable cells in covered HFiles that do not decode as the declared type
 */
public record Backlog(int files, long bytes, int deferred, long undecodable) {}
