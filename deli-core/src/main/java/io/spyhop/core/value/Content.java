package io.spyhop.core.value;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;

/** The meaning of a byte string: text, or just bytes. */
enum Content {
  /** Literals: text without unpaired surrogates. */
  TEXT {
    @Override
    byte[] of(Object literal, ValueType type) {
      if (!(literal instanceof CharSequence text)) {
        throw InvalidValueException.of(literal, type, "text");
      }
      try {
        return Bytes.toBytes(StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text)));
      } catch (CharacterCodingException e) {
        throw InvalidValueException.of(literal, type, "text without unpaired surrogates");
      }
    }

    @Override
    Object object(byte[] content) {
      return new String(content, StandardCharsets.UTF_8);
    }

    @Override
    String text(byte[] content) {
      return Display.quoted(new String(content, StandardCharsets.UTF_8));
    }
  },

  /**
   * Literals: byte arrays, or ASCII text in which {@code \xHH} is a byte, as HBase prints bytes.
   */
  BINARY {
    @Override
    byte[] of(Object literal, ValueType type) {
      if (literal instanceof byte[] bytes) {
        return bytes.clone();
      }
      if (!(literal instanceof CharSequence text) || UNREADABLE.matcher(text).find()) {
        throw InvalidValueException.of(
            literal, type, "bytes, or ASCII text with other bytes as \\xHH");
      }
      return unescape(text);
    }

    @Override
    Object object(byte[] content) {
      return content.clone();
    }

    @Override
    String text(byte[] content) {
      return Display.quoted(content);
    }
  };

  private static final Pattern ESCAPE = Pattern.compile("\\\\x(\\p{XDigit}{2})");
  private static final Pattern UNREADABLE = Pattern.compile("\\\\x(?!\\p{XDigit}{2})|\\P{ASCII}");

  /**
   * The bytes that a literal means.
   *
   * @throws InvalidValueException if it means none
   */
  abstract byte[] of(Object literal, ValueType type);

  /** As {@link ValueCodec#decode} has it. */
  abstract Object object(byte[] content);

  /** As {@link Operand#toString()} has it. */
  abstract String text(byte[] content);

  /** {@code Bytes.toBytesBinary} drops escapes that it does not like, lower case digits too. */
  private static byte[] unescape(CharSequence text) {
    return Bytes.toBytesBinary(
        ESCAPE
            .matcher(text)
            .replaceAll(
                m -> Matcher.quoteReplacement("\\x" + m.group(1).toUpperCase(Locale.ROOT))));
  }
}
