package io.spyhop.gateway;

/** A value that the Arrow type of its column does not have. */
final class UnrepresentableValueException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnrepresentableValueException(String message) {
    super(message);
  }
}
