package io.spyhop.core.aggregate;

import io.spyhop.core.value.ValueCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The total of numbers of one type, with their count. */
abstract class Totals extends Accumulator implements Total {
  private final ValueCodec codec;
  private long count;

  Totals(ValueCodec codec) {
    this.codec = codec;
  }

  /** Takes a number, which has the class that the type decodes to. */
  abstract long addNumber(Number number);

  abstract void writeSum(DataOutputStream out) throws IOException;

  abstract long mergeSum(DataInputStream in) throws IOException;

  /** The sum of one number or more. */
  abstract Number exactSum();

  /** Their average. */
  abstract Number exactAverage();

  @Override
  final long add(byte[] b, int off, int len) {
    count++;
    return addNumber((Number) codec.decode(b, off, len));
  }

  @Override
  final long add(CodedColumn column, long code) {
    Double number = column.number(code);
    if (number == null) {
      return super.add(column, code);
    }
    count++;
    return addNumber(number);
  }

  @Override
  final void writeTo(DataOutputStream out) throws IOException {
    out.writeLong(count);
    writeSum(out);
  }

  @Override
  final long merge(DataInputStream in) throws IOException {
    count = ValueCount.addRead(count, in);
    return mergeSum(in);
  }

  @Override
  final Total result() {
    return this;
  }

  @Override
  public final long count() {
    return count;
  }

  @Override
  public final Number sum() {
    return count == 0 ? null : exactSum();
  }

  @Override
  public final Number average() {
    return count == 0 ? null : exactAverage();
  }
}
