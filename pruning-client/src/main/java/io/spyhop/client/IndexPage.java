package io.spyhop.client;

import java.util.List;
import java.util.Optional;

/**
 * A part of an index read's answer. Immutable.
 *
 * @param cells by value, then row (of a bucketed table: as stored), then newest first; there may be
 *     none although more follow
 * @param next where the next part starts, for the next call; empty after the last. Opaque, valid as
 *     long as the index is not dropped or rebuilt
 */
public record IndexPage(List<IndexedCell> cells, Optional<byte[]> next) {
  /** Copies the cells. */
  public IndexPage {
    cells = List.copyOf(cells);
  }
}
