package io.spyhop.core.schema;

import java.util.Map;

/** Statistics alone have no options of their own. */
public final class StatisticsOptions extends IndexOptions {
  StatisticsOptions() {}

  @Override
  public IndexKind kind() {
    return IndexKind.STATS;
  }

  @Override
  BloomSize usualBloom() {
    return BloomSize.DEFAULT;
  }

  @Override
  void write(Map<String, String> parts) {
    // nothing to say
  }

  @Override
  void copyTo(IndexDefinition.Builder builder) {
    // nothing to give
  }

  @Override
  String shown(int flags) {
    return "";
  }
}
