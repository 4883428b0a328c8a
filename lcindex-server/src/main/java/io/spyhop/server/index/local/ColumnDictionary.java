package io.spyhop.server.index.local;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The qualifiers of one IFile, numbered in order of appearance, so that packed rows name a column
 * by a small number. Not thread-safe while it grows.
 */
final class ColumnDictionary {
  /** Beyond this many qualifiers, rows with further ones are not packed. */
  static final int MAX_COLUMNS = 4096;

  /** The same of their bytes; a qualifier may have 32 KB. */
  private static final long MAX_BYTES = 1 << 20;

  private static final int MAGIC = 0x53504344; // SPCD
  private static final int VERSION = 1;

  private final List<byte[]> qualifiers = new ArrayList<>();
  private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
  private long bytes;

  /** The qualifier's column number, a new one if need be; -1 if the dictionary is full. */
  int number(byte[] qualifier) {
    Integer known = numbers.get(ByteBuffer.wrap(qualifier));
    return known != null ? known : add(qualifier);
  }

  private int add(byte[] qualifier) {
    if (qualifiers.size() == MAX_COLUMNS || bytes + qualifier.length > MAX_BYTES) {
      return -1;
    }
    return append(qualifier);
  }

  private int append(byte[] qualifier) {
    bytes += qualifier.length;
    numbers.put(ByteBuffer.wrap(qualifier), qualifiers.size());
    qualifiers.add(qualifier);
    return qualifiers.size() - 1;
  }

  /** The qualifier of a number. */
  byte[] qualifier(int number) {
    return qualifiers.get(number);
  }

  int size() {
    return qualifiers.size();
  }

  byte[] encode() {
    return Frame.encode(
        MAGIC,
        VERSION,
        out -> {
          out.writeInt(qualifiers.size());
          for (byte[] q : qualifiers) {
            Frame.writeBytes(out, q);
          }
        });
  }

  static ColumnDictionary decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode(
        "IFile dictionary",
        MAGIC,
        VERSION,
        bytes,
        in -> {
          ColumnDictionary d = new ColumnDictionary();
          int count = Frame.readCount(in, Frame.LEAST_BYTES);
          if (count > MAX_COLUMNS) {
            throw new CorruptFrameException(count + " qualifiers");
          }
          for (int i = 0; i < count; i++) {
            byte[] qualifier = Frame.readBytes(in);
            if (d.numbers.containsKey(ByteBuffer.wrap(qualifier)) || d.append(qualifier) != i) {
              throw new CorruptFrameException("a qualifier twice");
            }
          }
          return d;
        });
  }
}
