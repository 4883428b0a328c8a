package io.spyhop.core.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;

/** Bytes as users write them: text, in which {@code \\xNN} is a byte. Stateless, thread-safe. */
public final class BinaryText {
  /** What {@code Bytes.toBytesBinary} takes for a byte each. */
  private static final Pattern NO_ASCII = Pattern.compile("[^\\x00-\\x7F]+");

  private static final HexFormat ESCAPES = HexFormat.of().withUpperCase().withPrefix("\\x");

  private BinaryText() {}

  /** The bytes of a text; characters beyond ASCII are those of UTF-8. */
  public static byte[] bytes(String text) {
    return Bytes.toBytesBinary(
        NO_ASCII
            .matcher(text)
            .replaceAll(
                m -> Matcher.quoteReplacement(ESCAPES.formatHex(m.group().getBytes(UTF_8)))));
  }
}
