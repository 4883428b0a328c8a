package io.spyhop.server.index.global;

import io.spyhop.core.io.IoRunnable;
import io.spyhop.server.access.ForeignObservers;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;

/**
 * Other coprocessors of one region that may change what is written when it has got its entries
 * (correctness rule 44). They are looked for when the region opens, and when HBase loads its
 * coprocessors again, before the next write. Thread-safe.
 */
final class LaterObservers {
  private final HRegion region;
  private volatile RegionCoprocessorHost seen;
  private volatile Optional<String> first = Optional.empty();

  LaterObservers(HRegion region) {
    this.region = region;
  }

  /** Whether there is any, as of the last look. */
  boolean areAny() {
    return first.isPresent();
  }

  /** What a status says of them. */
  String complaint() {
    return "coprocessor "
        + first.orElse("(none)")
        + " comes after Spyhop's and may change what is written, so that the index is not believed:"
        + " give it a lower priority value in the table's descriptor, or take it away";
  }

  /**
   * Looks whether there are others than before.
   *
   * @param change has nobody believe the indexes; called if some are new, or were there
   */
  void look(IoRunnable change) throws IOException {
    if (seen != region.getCoprocessorHost()) {
      lookAgain(change);
    }
  }

  private synchronized void lookAgain(IoRunnable change) throws IOException {
    RegionCoprocessorHost now = region.getCoprocessorHost();
    Optional<String> before = first;
    Optional<String> found = ForeignObservers.changingLater(region);
    if (found.isPresent()) {
      first = found;
    }
    if (found.isPresent() || before.isPresent()) {
      change.run();
    }
    first = found;
    seen = now;
  }
}
