package io.spyhop.gateway;

/** A call that is refused for now, as a bound of the gateway is reached. */
final class TooManyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TooManyException(String message) {
    super(message);
  }
}
