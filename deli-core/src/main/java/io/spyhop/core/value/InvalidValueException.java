package io.spyhop.core.value;

/**
 * A literal, or stored bytes sent in place of one, that is not a value of the type it is used with.
 * The message names the literal and the type and says what was expected.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_SHOWN = 80;

  /**
   * @param message what was given, for which type, and what is expected instead
   */
  public InvalidValueException(String message) {
    super(message);
  }

  /** {@code 'abc' is not a value of type LONG: expected a whole number}. */
  static InvalidValueException of(Object literal, ValueType type, String expected) {
    return new InvalidValueException(
        cut(Display.literal(literal))
            + " is not a value of type "
            + type
            + ": expected "
            + expected);
  }

  private static String cut(String shown) {
    return shown.length() <= MAX_SHOWN ? shown : shown.substring(0, MAX_SHOWN) + "...";
  }
}
