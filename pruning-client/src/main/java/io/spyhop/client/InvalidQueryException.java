package io.spyhop.client;

/**
 * A query that cannot be run as written: text that is no condition, a construct that is not
 * supported, a column, hint or option that does not fit the table. The message is one line.
 */
public class InvalidQueryException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** A message that names the text or the table and says what would be right. */
  public InvalidQueryException(String message) {
    super(message);
  }

  /** A message and the failure behind it. */
  public InvalidQueryException(String message, Throwable cause) {
    super(message, cause);
  }
}
