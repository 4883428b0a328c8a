package io.spyhop.core.predicate;

/** A predicate names a column that is ambiguous or whose type nobody declared. */
public class UnknownColumnException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** A message that names the table, the column and what is known. */
  public UnknownColumnException(String message) {
    super(message);
  }
}
