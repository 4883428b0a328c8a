package io.spyhop.bench.mdrq;

/**
 * A query whose answers differ.
 *
 * @param query its name
 * @param what the first difference
 */
public record Difference(String query, String what) {}
