package io.spyhop.server.index.stats;

/**
 * Rows of a region from start, inclusive, to stop, exclusive; an empty stop is no end. Immutable if
 * nobody writes to the arrays.
 */
public record RowSpan(byte[] start, byte[] stop) {}
