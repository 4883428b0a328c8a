package io.spyhop.core.value;

import java.util.Optional;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;

/**
 * Floating point values. -0.0 equals 0.0; every NaN equals every other and is greater than all
 * numbers, infinity included.
 */
final class DoubleCodec extends ValueCodec {
  private final DoubleForm form;
  private final Precision precision;

  DoubleCodec(ValueType type, DoubleForm form, Precision precision) {
    super(type);
    this.form = form;
    this.precision = precision;
  }

  /** The order of a relative to b. {@code Double.compare} has -0.0 below 0.0, all else as here. */
  static int compare(double a, double b) {
    return a == b ? 0 : Double.compare(a, b);
  }

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return form.isDecodable(b, off, len);
  }

  @Override
  public Object decode(byte[] b, int off, int len) {
    return isDecodable(b, off, len) ? precision.object(form.read(b, off, len)) : null;
  }

  @Override
  public byte[] canonical(byte[] b, int off, int len) {
    if (!isDecodable(b, off, len)) {
      return null;
    }
    double value = form.read(b, off, len);
    double usual = Double.isNaN(value) ? Double.NaN : value;
    return form.write(usual == 0 ? 0.0 : usual);
  }

  @Override
  public ValueKey key(byte[] b, int off, int len) {
    return isDecodable(b, off, len) ? OrderedKeys.ofDouble(form.read(b, off, len)) : null;
  }

  @Override
  public Operand operand(Object literal) {
    double value = precision.of(literal, type());
    if (!form.canHold(value)) {
      throw invalid(literal, "a finite number");
    }
    return new DoubleOperand(this, value);
  }

  @Override
  public int beyond(Object literal) {
    return precision.beyond(literal);
  }

  @Override
  public Optional<Operand> infinite(int sign) {
    double value = sign * Double.POSITIVE_INFINITY;
    return form.canHold(value) ? Optional.of(new DoubleOperand(this, value)) : Optional.empty();
  }

  @Override
  public Operand operandFromStored(byte[] stored) {
    requireDecodable(stored);
    double value = form.read(stored, 0, stored.length);
    return new DoubleOperand(this, value == 0 ? 0.0 : value);
  }

  @Override
  public Operand some() {
    return new DoubleOperand(this, 0);
  }

  @Override
  byte[] storedOf(PositionedByteRange key) {
    return form.write(OrderedBytes.decodeFloat64(key));
  }

  @Override
  String textOf(PositionedByteRange key) {
    return Display.floating(precision.object(OrderedBytes.decodeFloat64(key)).toString());
  }

  private static final class DoubleOperand extends Operand {
    private final DoubleForm form;
    private final Precision precision;
    private final double value;

    DoubleOperand(DoubleCodec codec, double value) {
      super(codec.type(), codec.form.write(value), OrderedKeys.ofDouble(value));
      this.form = codec.form;
      this.precision = codec.precision;
      this.value = value;
    }

    @Override
    public int compareStored(byte[] b, int off, int len) {
      return form.isDecodable(b, off, len) ? compare(form.read(b, off, len), value) : UNDECODABLE;
    }

    @Override
    public Object value() {
      return precision.object(value);
    }

    @Override
    public String toString() {
      return Display.floating(value().toString());
    }
  }
}
