package io.spyhop.server.index.global.repair;

import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.util.List;

/** The global indexes of one region, as they are at each call. Thread-safe. */
public interface RepairedIndexes {
  /**
   * Those that the region keeps: what is owed to others is owed no more.
   *
   * @throws IOException if that cannot be told now
   */
  List<IndexDefinition> kept() throws IOException;

  /** Those that it keeps and those of which that cannot be told now: all of them are watched. */
  List<IndexDefinition> possible();
}
