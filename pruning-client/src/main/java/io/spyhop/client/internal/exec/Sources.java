package io.spyhop.client.internal.exec;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes sources. */
final class Sources {
  private static final Logger LOG = LoggerFactory.getLogger(Sources.class);

  private Sources() {}

  /** Closes a source, if there is one; a failure changes no answer any more and is logged. */
  static void close(RowSource source, RowRange range) {
    if (source == null) {
      return;
    }
    try {
      source.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Closing the scan of rows {} failed; its server frees it after a while", range, e);
    }
  }
}
