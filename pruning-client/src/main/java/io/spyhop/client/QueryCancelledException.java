package io.spyhop.client;

import java.io.IOException;

/**
 * A query was ended before its rows were: its time was up, or {@link RowCursor#cancel} was called.
 */
public class QueryCancelledException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A message that names the table and the reason. */
  public QueryCancelledException(String message) {
    super(message);
  }
}
