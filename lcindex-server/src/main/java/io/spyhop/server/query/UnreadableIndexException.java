package io.spyhop.server.query;

import io.spyhop.server.index.local.FileDamage;
import io.spyhop.server.index.local.IndexFile;
import java.io.IOException;

/** Reading index files failed; the query goes on without them. */
final class UnreadableIndexException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient IndexFile file;

  UnreadableIndexException(IndexFile file, IOException cause) {
    super("cannot read the index files of " + file + ": " + cause.getMessage(), cause);
    this.file = file;
  }

  IndexFile file() {
    return file;
  }

  /** Whether they are to be built again; otherwise they are kept. */
  boolean isDamage() {
    return FileDamage.isDamage(getCause());
  }
}
