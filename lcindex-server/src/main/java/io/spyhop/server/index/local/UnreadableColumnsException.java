package io.spyhop.server.index.local;

import java.io.IOException;

/** A failure to read columnar files that are not those of the driving index of the HFile read. */
public final class UnreadableColumnsException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient ColumnSource source;

  UnreadableColumnsException(ColumnSource source, IOException cause) {
    super(cause.getMessage(), cause);
    this.source = source;
  }

  /** The files. */
  public ColumnSource source() {
    return source;
  }

  /** What went wrong. */
  public IOException failure() {
    return (IOException) getCause();
  }
}
