package io.spyhop.server.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;

/**
 * Frames within frames ({@code docs/formats/README.md}), so that what is changed inside has a
 * length and a checksum that are right again. Written without the code that reads them.
 */
final class Frames {
  private static final int HEADER = 9;
  private static final int TRAILER = 4;

  private Frames() {}

  /** The place of a frame. */
  private record Span(int from, int to) {}

  private static boolean isFrame(byte[] b, int from, int length) {
    return length >= HEADER + TRAILER
        && from + length <= b.length
        && b[from] == 'S'
        && b[from + 1] == 'P'
        && ByteBuffer.wrap(b).getInt(from + 5) == length - HEADER - TRAILER;
  }

  /** The frame itself and those within it, from the outside to the inside. */
  private static List<Span> within(byte[] b) {
    List<Span> spans = new ArrayList<>();
    if (isFrame(b, 0, b.length)) {
      spans.add(new Span(0, b.length));
      for (int at = HEADER; at + Integer.BYTES + HEADER + TRAILER < b.length; at++) {
        if (b[at + 4] == 'S') {
          int length = ByteBuffer.wrap(b).getInt(at);
          if (length > 0 && length < b.length && isFrame(b, at + 4, length)) {
            spans.add(new Span(at + 4, at + 4 + length));
          }
        }
      }
    }
    return spans;
  }

  /**
   * Changes what is inside of a frame, or of one within it.
   *
   * @param choice which of them, modulo their number
   * @return the same frame with other content, right lengths and checksums; bytes that are no frame
   *     are changed as they are
   */
  static byte[] change(byte[] frame, int choice, UnaryOperator<byte[]> change) {
    List<Span> spans = within(frame);
    if (spans.isEmpty()) {
      return change.apply(frame);
    }
    Span chosen = spans.get(Math.floorMod(choice, spans.size()));
    byte[] payload = Arrays.copyOfRange(frame, chosen.from + HEADER, chosen.to - TRAILER);
    byte[] result = replace(frame, chosen, seal(frame, chosen.from, change.apply(payload)));
    for (int i = spans.indexOf(chosen) - 1; i >= 0; i--) {
      Span outer = spans.get(i);
      if (outer.from < chosen.from && outer.to > chosen.to) {
        int grown = result.length - frame.length;
        Span now = new Span(outer.from, outer.to + grown);
        byte[] its = Arrays.copyOfRange(result, now.from + HEADER, now.to - TRAILER);
        result = replaceSame(result, now, seal(result, now.from, its));
      }
    }
    return result;
  }

  private static byte[] seal(byte[] b, int header, byte[] payload) {
    ByteBuffer sealed = ByteBuffer.allocate(HEADER + payload.length + TRAILER);
    sealed.put(b, header, 5).putInt(payload.length).put(payload);
    CRC32C crc = new CRC32C();
    crc.update(sealed.array(), 0, HEADER + payload.length);
    return sealed.putInt((int) crc.getValue()).array();
  }

  /** With the length before it, if it is within another one. */
  private static byte[] replace(byte[] b, Span old, byte[] by) {
    ByteBuffer replaced = ByteBuffer.allocate(b.length - (old.to - old.from) + by.length);
    replaced.put(b, 0, old.from).put(by).put(b, old.to, b.length - old.to);
    if (old.from >= Integer.BYTES) {
      replaced.putInt(old.from - Integer.BYTES, by.length);
    }
    return replaced.array();
  }

  private static byte[] replaceSame(byte[] b, Span span, byte[] by) {
    System.arraycopy(by, 0, b, span.from, by.length);
    if (span.from >= Integer.BYTES) {
      ByteBuffer.wrap(b).putInt(span.from - Integer.BYTES, by.length);
    }
    return b;
  }
}
