package io.spyhop.core.predicate;

/** A predicate that does not fit its column, for example a literal of another type. */
public class InvalidPredicateException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** A message that names the column and the literal. */
  public InvalidPredicateException(String message, Throwable cause) {
    super(message, cause);
  }
}
