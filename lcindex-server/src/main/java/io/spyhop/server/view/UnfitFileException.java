package io.spyhop.server.view;

import java.io.IOException;

/** An HFile can be in no view, now or later: its cells are not where a position can say. */
public final class UnfitFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * @param file its name within its store
   */
  public UnfitFileException(String file, String message) {
    super(message);
    this.file = file;
  }

  /** The file's name within its store. */
  public String file() {
    return file;
  }
}
