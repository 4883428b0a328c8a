package io.spyhop.server.index.local.directory;

import java.io.IOException;

/** Sees to it that nobody but the servers reads and writes a directory of index files. */
interface DirectoryRights {
  /**
   * Fails if another user owns the directory, or could put another in its place. Writes nothing.
   *
   * @throws IOException which says what to set
   */
  void require() throws IOException;

  /**
   * Takes from others the rights that an older version, or the maker of the directory, gave them.
   *
   * @throws IOException if something in it is another user's, or rights cannot be taken
   */
  void tighten() throws IOException;
}
