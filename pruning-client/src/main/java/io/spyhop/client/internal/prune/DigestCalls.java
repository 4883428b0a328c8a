package io.spyhop.client.internal.prune;

import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;

/** Asks servers for the digest of a table. Thread-safe. */
@FunctionalInterface
public interface DigestCalls {
  /**
   * Asks a server.
   *
   * @param region one that it has
   * @return empty if it gives none
   * @throws IOException if it could not be asked
   */
  Optional<DigestAnswer> ask(HRegionLocation region, DigestRequest request) throws IOException;
}
