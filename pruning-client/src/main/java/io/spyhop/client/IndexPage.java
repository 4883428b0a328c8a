package io.spyhop.client;

import java.util.List;
import java.util.Optional;

/**
 * A part of an index read's answer. Immutable.
 *
 * @param cells by value, then row (of a bucketed table: as stored), then newest first; there may be
 *     fewer than were asked for, or none, although more follow: rows of some megabytes end a page.
 *     Values count as far as the index's keys have them: decimals that agree in 31 digits, and
 *     texts and bytes that agree in their first {@value
 *     io.spyhop.core.value.ValueCodec#MAX_KEYED_BYTES} bytes, come by row, and decimals from 10 to
 *     the 1000th on, or below 10 to the -1001st, before all others
 * @param next where the next part starts, for the next call; empty after the last. Opaque, valid as
 *     long as the index is not dropped or rebuilt
 */
public record IndexPage(List<IndexedCell> cells, Optional<byte[]> next) {
  /** Copies the cells. */
  public IndexPage {
    cells = List.copyOf(cells);
  }
}
