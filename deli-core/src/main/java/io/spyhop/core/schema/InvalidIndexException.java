package io.spyhop.core.schema;

/** An index definition that cannot be: the message names table or column, option and value. */
public class InvalidIndexException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** A message that says what is wrong and what would be right. */
  public InvalidIndexException(String message) {
    super(message);
  }

  /** A message and the failure behind it. */
  public InvalidIndexException(String message, Throwable cause) {
    super(message, cause);
  }
}
