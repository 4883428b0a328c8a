package io.spyhop.core.value;

import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;

/** Values that are a long inside: whole numbers, booleans, timestamps, dates. */
final class LongCodec extends ValueCodec {
  private final LongForm form;
  private final LongDomain domain;

  LongCodec(ValueType type, LongForm form, LongDomain domain) {
    super(type);
    this.form = form;
    this.domain = domain;
  }

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return form.isDecodable(b, off, len);
  }

  @Override
  public Object decode(byte[] b, int off, int len) {
    return isDecodable(b, off, len) ? domain.object(form.read(b, off, len)) : null;
  }

  @Override
  public byte[] canonical(byte[] b, int off, int len) {
    return isDecodable(b, off, len) ? form.write(form.read(b, off, len)) : null;
  }

  @Override
  public ValueKey key(byte[] b, int off, int len) {
    return isDecodable(b, off, len) ? domain.key(form.read(b, off, len)) : null;
  }

  @Override
  public Operand operand(Object literal) {
    return new LongOperand(this, domain.of(literal, type()));
  }

  @Override
  public int beyond(Object literal) {
    return domain.beyond(literal);
  }

  @Override
  public Operand operandFromStored(byte[] stored) {
    requireDecodable(stored);
    return new LongOperand(this, form.read(stored, 0, stored.length));
  }

  @Override
  public Operand some() {
    return new LongOperand(this, 0);
  }

  @Override
  byte[] storedOf(PositionedByteRange key) {
    return form.write(valueOf(key));
  }

  @Override
  String textOf(PositionedByteRange key) {
    return domain.text(valueOf(key));
  }

  private static long valueOf(PositionedByteRange key) {
    return OrderedBytes.isFixedInt8(key)
        ? OrderedBytes.decodeInt8(key)
        : OrderedBytes.decodeInt64(key);
  }

  private static final class LongOperand extends Operand {
    private final LongForm form;
    private final LongDomain domain;
    private final long value;

    LongOperand(LongCodec codec, long value) {
      super(codec.type(), codec.form.write(value), codec.domain.key(value));
      this.form = codec.form;
      this.domain = codec.domain;
      this.value = value;
    }

    @Override
    public int compareStored(byte[] b, int off, int len) {
      return form.isDecodable(b, off, len)
          ? Long.compare(form.read(b, off, len), value)
          : UNDECODABLE;
    }

    @Override
    public Object value() {
      return domain.object(value);
    }

    @Override
    public String toString() {
      return domain.text(value);
    }
  }
}
