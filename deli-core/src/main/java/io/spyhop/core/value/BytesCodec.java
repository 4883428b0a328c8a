package io.spyhop.core.value;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;

/** Text and byte strings, in the unsigned order of their content (for text: its UTF-8 bytes). */
final class BytesCodec extends ValueCodec {
  /** How long the key is of what was cut. */
  private static final int CUT_KEY = keyOf(new byte[MAX_KEYED_BYTES]).bytes().length;

  private final BytesForm form;
  private final Content domain;

  BytesCodec(ValueType type, BytesForm form, Content domain) {
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
    return isDecodable(b, off, len) ? domain.object(content(b, off, len)) : null;
  }

  private byte[] content(byte[] b, int off, int len) {
    return form.content(b, off, len, Integer.MAX_VALUE);
  }

  @Override
  public byte[] canonical(byte[] b, int off, int len) {
    return isDecodable(b, off, len) ? form.write(content(b, off, len)) : null;
  }

  @Override
  public ValueKey key(byte[] b, int off, int len) {
    if (!isDecodable(b, off, len)) {
      return null;
    }
    byte[] kept = form.content(b, off, len, MAX_KEYED_BYTES);
    return OrderedKeys.ofContent(kept, kept.length == form.contentLength(b, off, len));
  }

  private static ValueKey keyOf(byte[] content) {
    boolean whole = content.length <= MAX_KEYED_BYTES;
    return OrderedKeys.ofContent(whole ? content : Arrays.copyOf(content, MAX_KEYED_BYTES), whole);
  }

  @Override
  public Operand operand(Object literal) {
    byte[] content = domain.of(literal, type());
    if (!form.canHold(content)) {
      throw invalid(literal, "text without U+0000");
    }
    return new BytesOperand(this, content);
  }

  @Override
  public Operand operandFromStored(byte[] stored) {
    requireDecodable(stored);
    return new BytesOperand(this, content(stored, 0, stored.length));
  }

  @Override
  public Operand some() {
    return new BytesOperand(this, new byte[0]);
  }

  @Override
  public boolean mayBeShared(byte[] key) {
    return key.length >= CUT_KEY;
  }

  @Override
  public boolean supportsPrefix() {
    return form.isVerbatim();
  }

  @Override
  public KeyRange prefixRange(byte[] prefix) {
    if (!supportsPrefix()) {
      return super.prefixRange(prefix);
    }
    byte[] successor = successor(prefix);
    return new KeyRange(keyOf(prefix), successor == null ? null : keyOf(successor));
  }

  /** The least byte string above all with the prefix, or null if there is none. */
  private static byte[] successor(byte[] prefix) {
    int last = prefix.length - 1;
    while (last >= 0 && prefix[last] == (byte) 0xff) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] successor = Arrays.copyOf(prefix, last + 1);
    successor[last]++;
    return successor;
  }

  @Override
  byte[] storedOf(PositionedByteRange key) {
    return form.write(contentOf(key));
  }

  @Override
  String textOf(PositionedByteRange key) {
    return domain.text(contentOf(key));
  }

  private static byte[] contentOf(PositionedByteRange key) {
    byte[] padded = OrderedBytes.decodeBlobVar(key);
    return Arrays.copyOf(padded, padded.length - 1);
  }

  private static final class BytesOperand extends Operand {
    private final BytesForm form;
    private final Content domain;
    private final byte[] content;

    BytesOperand(BytesCodec codec, byte[] content) {
      super(codec.type(), codec.form.write(content), keyOf(content));
      this.form = codec.form;
      this.domain = codec.domain;
      this.content = content;
    }

    @Override
    public int compareStored(byte[] b, int off, int len) {
      return form.isDecodable(b, off, len)
          ? form.compareContent(b, off, len, content)
          : UNDECODABLE;
    }

    @Override
    public Object value() {
      return domain.object(content);
    }

    @Override
    public String toString() {
      return domain.text(content);
    }
  }
}
