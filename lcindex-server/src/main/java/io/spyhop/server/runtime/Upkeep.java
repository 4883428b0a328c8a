package io.spyhop.server.runtime;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/**
 * Something that is kept in step with what it is made of, by comparing the two. Its {@code
 * toString} names it in logs.
 */
public interface Upkeep {
  /**
   * Compares, and starts jobs for the difference. One thread at a time.
   *
   * @return whether there is none, so that it is seldom looked at until it is told of a change
   * @throws IOException if it cannot be done now; it comes again
   */
  boolean reconcile() throws IOException;

  /** The table that it belongs to. */
  TableName table();
}
