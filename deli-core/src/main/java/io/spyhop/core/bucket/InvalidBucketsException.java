package io.spyhop.core.bucket;

/** Options, boundaries or keys that no bucketed table can have. */
public class InvalidBucketsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** A message that says what is wrong and what would be right. */
  public InvalidBucketsException(String message) {
    super(message);
  }

  /** A message and the failure behind it. */
  public InvalidBucketsException(String message, Throwable cause) {
    super(message, cause);
  }
}
