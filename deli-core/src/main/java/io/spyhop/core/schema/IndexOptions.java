package io.spyhop.core.schema;

import java.util.Map;

/**
 * The options of one kind of index alone; {@link IndexDefinition} has those that all kinds share. A
 * new kind is one more of these, and a constant of {@link IndexKind}, over which every switch is
 * exhaustive. Immutable, thread-safe.
 */
public abstract sealed class IndexOptions permits LocalOptions, GlobalOptions, StatisticsOptions {
  /** The kind that has these options. */
  public abstract IndexKind kind();

  /** How large the bloom filters of the column's statistics are, unless a definition says so. */
  abstract BloomSize usualBloom();

  /** Adds what the text of a definition says, in its order. */
  abstract void write(Map<String, String> parts);

  /** Gives a builder these options. */
  abstract void copyTo(IndexDefinition.Builder builder);

  /** For people, each part with a space before it. */
  abstract String shown(int flags);
}
