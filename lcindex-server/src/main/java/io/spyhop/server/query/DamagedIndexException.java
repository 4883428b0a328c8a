package io.spyhop.server.query;

import io.spyhop.server.local.IndexFile;
import java.io.IOException;

/** Reading index files failed; the query goes on without them and they are built again. */
final class DamagedIndexException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient IndexFile file;

  DamagedIndexException(IndexFile file, IOException cause) {
    super("cannot read the index files of " + file + ": " + cause.getMessage(), cause);
    this.file = file;
  }

  IndexFile file() {
    return file;
  }
}
