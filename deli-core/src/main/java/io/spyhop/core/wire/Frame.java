package io.spyhop.core.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The envelope of every byte format of Spyhop: magic, version, payload length, payload, CRC32C.
 *
 * <p>Layout, big-endian: {@code int magic, byte version, int payloadLength, payload, int crc} where
 * the checksum covers everything before it. One page per payload is in {@code docs/formats}. All
 * methods are stateless and thread-safe.
 */
public final class Frame {
  private static final int LENGTH_AT = 4 + 1;
  private static final int HEADER = LENGTH_AT + 4;
  private static final int TRAILER = 4;
  private static final int NULL = -1;

  /** How many elements of a list are believed in before they are there. */
  private static final int PRESIZED = 1024;

  /** What bytes take at least: their length. */
  public static final int LEAST_BYTES = Integer.BYTES;

  /** What a text takes at least: its length. */
  public static final int LEAST_UTF = Short.BYTES;

  private Frame() {}

  /** Writes the payload of a frame. */
  @FunctionalInterface
  public interface Body {
    /** Writes the payload to {@code out}. */
    void writeTo(DataOutputStream out) throws IOException;
  }

  /** Reads the payload of a frame. */
  @FunctionalInterface
  public interface Parser<T> {
    /** Reads one value from {@code in}, which holds the payload alone. */
    T parse(DataInputStream in) throws IOException;
  }

  /**
   * Encodes a payload.
   *
   * @param magic four bytes that name the format
   * @param version format version, 0 to 127
   * @param body writes the payload
   * @return the whole frame
   */
  public static byte[] encode(int magic, int version, Body body) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(magic);
      out.writeByte(version);
      out.writeInt(0); // the length and the checksum follow when all is there
      body.writeTo(out);
      out.writeInt(0);
      byte[] frame = bytes.toByteArray();
      int end = frame.length - TRAILER;
      ByteBuffer.wrap(frame).putInt(LENGTH_AT, end - HEADER).putInt(end, checksum(frame, end));
      return frame;
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
  }

  /**
   * Decodes a frame.
   *
   * @param what the format's name for messages, for example {@code "SFile"}
   * @param magic the format's magic number
   * @param version the one version that this code reads
   * @param frame the whole frame, nothing after it
   * @param parser reads the payload and must consume all of it
   * @return what the parser returned
   * @throws CorruptFrameException if magic, version, length or checksum are not as they should be
   */
  public static <T> T decode(String what, int magic, int version, byte[] frame, Parser<T> parser)
      throws CorruptFrameException {
    return decode(what, magic, version, version, frame, (in, found) -> parser.parse(in));
  }

  /** Reads the payload of a frame that comes in several versions. */
  @FunctionalInterface
  public interface VersionedParser<T> {
    /** Reads one value from {@code in}, which holds the payload alone. */
    T parse(DataInputStream in, int version) throws IOException;
  }

  /**
   * Decodes a frame of one of several versions.
   *
   * @param oldest the oldest version that this code reads
   * @param newest the newest one
   * @param parser reads the payload in the version that it is in, and must consume all of it
   * @return what the parser returned
   * @throws CorruptFrameException if magic, version, length or checksum are not as they should be
   */
  public static <T> T decode(
      String what, int magic, int oldest, int newest, byte[] frame, VersionedParser<T> parser)
      throws CorruptFrameException {
    int version = checkHeader(what, magic, oldest, newest, frame);
    int end = frame.length - TRAILER;
    if (ByteBuffer.wrap(frame).getInt(end) != checksum(frame, end)) {
      throw new CorruptFrameException(what + ": checksum does not match");
    }
    ByteArrayInputStream payload = new ByteArrayInputStream(frame, HEADER, end - HEADER);
    T value;
    try {
      value = parser.parse(new DataInputStream(payload), version);
    } catch (EOFException e) {
      throw new CorruptFrameException(what + ": payload ends too early", e);
    } catch (IOException | RuntimeException e) {
      throw new CorruptFrameException(what + ": " + e.getMessage(), e);
    }
    if (payload.available() > 0) {
      throw new CorruptFrameException(what + ": bytes left over after the payload");
    }
    return value;
  }

  private static int checkHeader(String what, int magic, int oldest, int newest, byte[] frame)
      throws CorruptFrameException {
    if (frame == null) {
      throw new CorruptFrameException(what + ": there are no bytes");
    }
    if (frame.length < HEADER + TRAILER) {
      throw new CorruptFrameException(what + ": truncated to " + frame.length + " bytes");
    }
    ByteBuffer header = ByteBuffer.wrap(frame);
    int foundMagic = header.getInt();
    if (foundMagic != magic) {
      throw new CorruptFrameException(
          what
              + ": magic "
              + Integer.toHexString(foundMagic)
              + ", expected "
              + Integer.toHexString(magic));
    }
    int found = header.get();
    if (found < oldest || found > newest) {
      String read = oldest == newest ? "version " + newest : "versions " + oldest + " to " + newest;
      throw new CorruptFrameException(
          what + ": format version " + found + ", this code reads " + read);
    }
    int payload = header.getInt();
    if (payload != frame.length - HEADER - TRAILER) {
      throw new CorruptFrameException(
          what + ": payload of " + payload + " bytes in a frame of " + frame.length);
    }
    return found;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** Writes a byte array with its length. */
  public static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Writes a byte array that may be null. */
  public static void writeBytesOrNull(DataOutputStream out, byte[] bytes) throws IOException {
    if (bytes == null) {
      out.writeInt(NULL);
    } else {
      writeBytes(out, bytes);
    }
  }

  /**
   * Reads what {@link #writeBytes} wrote.
   *
   * @throws CorruptFrameException if there is null, or more than is left
   */
  public static byte[] readBytes(DataInputStream in) throws IOException {
    byte[] bytes = readBytesOrNull(in);
    if (bytes == null) {
      throw new CorruptFrameException("null where bytes must be");
    }
    return bytes;
  }

  /** Reads what {@link #writeBytesOrNull} wrote. */
  public static byte[] readBytesOrNull(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length == NULL) {
      return null;
    }
    if (length < 0 || length > in.available()) {
      throw new EOFException("byte array of " + length + ", " + in.available() + " left");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  /**
   * Reads what {@link DataOutputStream#writeUTF} wrote; Java's reader allocates before it looks.
   */
  public static String readUtf(DataInputStream in) throws IOException {
    in.mark(Short.BYTES);
    int length = in.readUnsignedShort();
    if (length > in.available()) {
      throw new EOFException("text of " + length + " bytes, " + in.available() + " left");
    }
    in.reset();
    return in.readUTF();
  }

  /**
   * Reads a count written as an int, and checks that as many can follow.
   *
   * @param least how many bytes each of those counted takes at least
   */
  public static int readCount(DataInputStream in, int least) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available() / least) {
      throw new EOFException("count of " + count + ", " + in.available() + " bytes left");
    }
    return count;
  }

  /** Writes one element of a list. */
  @FunctionalInterface
  public interface ElementBody<T> {
    /** Writes the element to {@code out}. */
    void writeTo(DataOutputStream out, T element) throws IOException;
  }

  /** Writes a count and as many elements. */
  public static <T> void writeList(
      DataOutputStream out, Collection<T> elements, ElementBody<T> element) throws IOException {
    out.writeInt(elements.size());
    for (T e : elements) {
      element.writeTo(out, e);
    }
  }

  /**
   * Reads what {@link #writeList} wrote. The count sizes no more than a small array, so that lists
   * within lists may all claim what is left.
   *
   * @param least how many bytes an element takes at least
   */
  public static <T> List<T> readList(DataInputStream in, int least, Parser<T> element)
      throws IOException {
    int count = readCount(in, least);
    List<T> elements = new ArrayList<>(Math.min(count, PRESIZED));
    for (int i = 0; i < count; i++) {
      elements.add(element.parse(in));
    }
    return elements;
  }
}
