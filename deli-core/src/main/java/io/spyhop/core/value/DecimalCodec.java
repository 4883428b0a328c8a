package io.spyhop.core.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;

/**
 * Decimal numbers, compared by value: 1.0 equals 1.00. Literals: any {@link Number} that is finite,
 * or decimal text.
 *
 * <p>{@link BigDecimal#compareTo} compares the magnitudes first and rescales only numbers of equal
 * magnitude, by no more digits than they have; so absurd scales cost nothing.
 */
final class DecimalCodec extends ValueCodec {
  private final DecimalForm form;

  DecimalCodec(ValueType type, DecimalForm form) {
    super(type);
    this.form = form;
  }

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return form.read(b, off, len) != null;
  }

  @Override
  public Object decode(byte[] b, int off, int len) {
    return form.read(b, off, len);
  }

  @Override
  public byte[] canonical(byte[] b, int off, int len) {
    BigDecimal value = form.read(b, off, len);
    return value == null ? null : form.write(stripped(value));
  }

  /** Without zeros at its end, as far as the scale goes; BigDecimal's own throws beyond. */
  private static BigDecimal stripped(BigDecimal value) {
    if (value.signum() == 0) {
      return BigDecimal.ZERO;
    }
    BigInteger digits = value.unscaledValue();
    int scale = value.scale();
    while (scale > Integer.MIN_VALUE && !digits.testBit(0)) {
      BigInteger[] tenth = digits.divideAndRemainder(BigInteger.TEN);
      if (tenth[1].signum() != 0) {
        break;
      }
      digits = tenth[0];
      scale--;
    }
    return new BigDecimal(digits, scale);
  }

  @Override
  public ValueKey key(byte[] b, int off, int len) {
    BigDecimal value = form.read(b, off, len);
    return value == null ? null : OrderedKeys.ofDecimal(value);
  }

  @Override
  public Operand operand(Object literal) {
    BigDecimal value = DecimalText.numberOf(literal);
    if (value == null) {
      throw invalid(literal, "a number");
    }
    if (!form.canHold(value)) {
      throw invalid(literal, form.expected());
    }
    return new DecimalOperand(this, value);
  }

  @Override
  public int beyond(Object literal) {
    BigDecimal value = DecimalText.numberOf(literal);
    return value == null ? 0 : form.beyond(value);
  }

  @Override
  public Operand operandFromStored(byte[] stored) {
    requireDecodable(stored);
    return new DecimalOperand(this, form.read(stored, 0, stored.length));
  }

  @Override
  public Operand some() {
    return new DecimalOperand(this, BigDecimal.ZERO);
  }

  /** A number of many digits may have the key of one that has few. */
  @Override
  public boolean hasUnkeyable() {
    return true;
  }

  @Override
  public boolean mayBeShared(byte[] key) {
    return true;
  }

  @Override
  byte[] storedOf(PositionedByteRange key) {
    return form.write(stripped(valueOf(key)));
  }

  @Override
  String textOf(PositionedByteRange key) {
    return Display.number(valueOf(key));
  }

  private static BigDecimal valueOf(PositionedByteRange key) {
    int length = OrderedBytes.skip(key);
    BigDecimal value = OrderedNumeric.INSTANCE.read(key.getBytes(), key.getOffset(), length);
    if (value == null) {
      throw new IllegalArgumentException("no key of a number");
    }
    return value;
  }

  private static final class DecimalOperand extends Operand {
    private final DecimalForm form;
    private final BigDecimal value;

    DecimalOperand(DecimalCodec codec, BigDecimal value) {
      super(codec.type(), codec.form.write(value), OrderedKeys.ofDecimal(value));
      this.form = codec.form;
      this.value = value;
    }

    @Override
    public int compareStored(byte[] b, int off, int len) {
      BigDecimal other = form.read(b, off, len);
      return other == null ? UNDECODABLE : other.compareTo(value);
    }

    @Override
    public Object value() {
      return value;
    }

    @Override
    public String toString() {
      return Display.number(value);
    }
  }
}
