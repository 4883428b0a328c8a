package io.spyhop.server.query.candidate;

import io.spyhop.server.index.local.FileDamage;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.UnreadableColumnsException;
import io.spyhop.server.metrics.Fallback;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reading index files failed; the query goes on without them. */
public final class UnreadableIndexException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(UnreadableIndexException.class);

  private final transient IndexFile file;

  UnreadableIndexException(IndexFile file, IOException cause) {
    super("cannot read the index files of " + file + ": " + cause.getMessage(), cause);
    this.file = file;
  }

  /**
   * Of a failure to read.
   *
   * @param file what was read, unless the failure names other files
   */
  static UnreadableIndexException of(IndexFile file, IOException failure) {
    return failure instanceof UnreadableColumnsException other
            && other.source() instanceof IndexFile named
        ? new UnreadableIndexException(named, other.failure())
        : new UnreadableIndexException(file, failure);
  }

  /** Drops the files if they are to be built again, and keeps them if not. */
  public void see(RegionIndexes indexes, HRegion region) {
    if (!isDamage()) {
      LOG.warn("Index files of {} cannot be read now, and stay: {}", region, getMessage());
      return;
    }
    LOG.warn("Dropping index files of {}, they are built again: {}", region, getMessage());
    try {
      indexes.discard(file);
    } catch (IOException e) {
      LOG.warn("Cannot delete {}, the sweep will", file, e);
    }
  }

  /** Whether they are to be built again; otherwise they are kept. */
  private boolean isDamage() {
    return FileDamage.isDamage(getCause());
  }

  /** What is counted. */
  public Fallback reason() {
    if (!isDamage()) {
      return Fallback.UNREADABLE;
    }
    return getCause() instanceof FileNotFoundException ? Fallback.GONE : Fallback.DAMAGED;
  }
}
