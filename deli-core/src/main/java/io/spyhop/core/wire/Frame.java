package io.spyhop.core.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * The envelope of every byte format of Spyhop: magic, version, payload length, payload, CRC32C.
 *
 * <p>Layout, big-endian: {@code int magic, byte version, int payloadLength, payload, int crc} where
 * the checksum covers everything before it. One page per payload is in {@code docs/formats}. All
 * methods are stateless and thread-safe.
 */
public final class Frame {
  private static final int HEADER = 4 + 1 + 4;
  private static final int TRAILER = 4;

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
      ByteArrayOutputStream payload = new ByteArrayOutputStream();
      body.writeTo(new DataOutputStream(payload));
      ByteArrayOutputStream frame = new ByteArrayOutputStream(HEADER + payload.size() + TRAILER);
      DataOutputStream out = new DataOutputStream(frame);
      out.writeInt(magic);
      out.writeByte(version);
      out.writeInt(payload.size());
      payload.writeTo(out);
      out.writeInt(checksum(frame.toByteArray(), frame.size()));
      return frame.toByteArray();
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
    if (frame.length < HEADER + TRAILER) {
      throw new CorruptFrameException(what + ": truncated to " + frame.length + " bytes");
    }
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame));
      int version = checkHeader(what, magic, oldest, newest, frame.length, in);
      int end = frame.length - TRAILER;
      int stored = new DataInputStream(new ByteArrayInputStream(frame, end, TRAILER)).readInt();
      if (stored != checksum(frame, end)) {
        throw new CorruptFrameException(what + ": checksum does not match");
      }
      DataInputStream payload =
          new DataInputStream(new ByteArrayInputStream(frame, HEADER, end - HEADER));
      T value = parser.parse(payload, version);
      if (payload.read() >= 0) {
        throw new CorruptFrameException(what + ": bytes left over after the payload");
      }
      return value;
    } catch (CorruptFrameException e) {
      throw e;
    } catch (EOFException e) {
      throw new CorruptFrameException(what + ": payload ends too early", e);
    } catch (IOException | RuntimeException e) {
      throw new CorruptFrameException(what + ": " + e.getMessage(), e);
    }
  }

  private static int checkHeader(
      String what, int magic, int oldest, int newest, int length, DataInputStream in)
      throws IOException {
    int foundMagic = in.readInt();
    if (foundMagic != magic) {
      throw new CorruptFrameException(
          what
              + ": magic "
              + Integer.toHexString(foundMagic)
              + ", expected "
              + Integer.toHexString(magic));
    }
    int found = in.readByte();
    if (found < oldest || found > newest) {
      String read = oldest == newest ? "version " + newest : "versions " + oldest + " to " + newest;
      throw new CorruptFrameException(
          what + ": format version " + found + ", this code reads " + read);
    }
    int payload = in.readInt();
    if (payload != length - HEADER - TRAILER) {
      throw new CorruptFrameException(
          what + ": payload of " + payload + " bytes in a frame of " + length);
    }
    return found;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** Writes a byte array with its length; null is allowed and comes back as null. */
  public static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    if (bytes == null) {
      out.writeInt(-1);
      return;
    }
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Reads what {@link #writeBytes} wrote. */
  public static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length == -1) {
      return null;
    }
    if (length < 0 || length > in.available()) {
      throw new EOFException("byte array of " + length + ", " + in.available() + " left");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  /** Reads a count written as an int and checks that it can be true. */
  public static int readCount(DataInputStream in) throws IOException {
    return readCount(in, 1);
  }

  /**
   * The same, for a count that sizes an array. Not for arrays within arrays: each may claim all
   * that is left.
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
}
