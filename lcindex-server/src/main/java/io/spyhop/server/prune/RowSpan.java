package io.spyhop.server.prune;

/**
 * Rows of a region from start, inclusive, to stop, exclusive; an empty stop is no end. Immutable if
 * nobody writes to the arrays.
 */
public record RowSpan(byte[] start, byte[] stop) {}
