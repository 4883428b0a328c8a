package io.spyhop.core.value;

import java.math.BigDecimal;

/** Reads a cell's value as a decimal number. Stateless, thread-safe, never throws on content. */
interface DecimalForm {
  /** The value, or null if undecodable; takes bounded time whatever the scale is. */
  BigDecimal read(byte[] b, int off, int len);

  /** The usual bytes of a value for which {@link #canHold}. */
  byte[] write(BigDecimal value);

  /** Whether the form has bytes for exactly this value. */
  boolean canHold(BigDecimal value);

  /** As {@link ValueCodec#beyond} has it. */
  default int beyond(BigDecimal value) {
    return 0;
  }

  /** Which numbers it can hold, as in "expected ...". */
  String expected();
}
