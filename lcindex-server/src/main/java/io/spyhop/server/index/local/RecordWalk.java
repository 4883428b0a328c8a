package io.spyhop.server.index.local;

import java.io.IOException;

/** Goes through the records of an IFile that have keys in some ranges. Not thread-safe. */
interface RecordWalk {
  /** Goes to the next record; false if there is none. */
  boolean next() throws IOException;
}
