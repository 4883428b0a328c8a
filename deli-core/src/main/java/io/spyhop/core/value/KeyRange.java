package io.spyhop.core.value;

/**
 * Keys from lower to upper, both inclusive; null is no bound on that side. Immutable, thread-safe.
 *
 * @param lower the least key, or null
 * @param upper the greatest key, or null
 */
public record KeyRange(ValueKey lower, ValueKey upper) {}
