package io.spyhop.server.index.local;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The checksums of a file, piece by piece: its length, and a CRC32C of every piece. With them no
 * byte of the file is believed before it is checked, wherever reading begins. Immutable,
 * thread-safe.
 */
final class FileChecksums {
  /** How long the pieces of new files are. */
  static final int PIECE = 16 << 10;

  private static final int MAX_PIECE = 1 << 20;

  private final long length;
  private final int piece;
  private final int[] sums;

  private FileChecksums(long length, int piece, int[] sums) {
    this.length = length;
    this.piece = piece;
    this.sums = sums;
  }

  /** The file's length in bytes. */
  long length() {
    return length;
  }

  /** The length of each piece but the last, which may be shorter. */
  int piece() {
    return piece;
  }

  /**
   * Whether these bytes are the file's.
   *
   * @param from where they begin in the file: the beginning of a piece
   * @param count how many bytes: whole pieces, or up to the file's end
   */
  boolean match(long from, byte[] b, int off, int count) {
    CRC32C crc = new CRC32C();
    int number = (int) (from / piece);
    for (int at = 0; at < count; at += piece) {
      crc.reset();
      crc.update(b, off + at, Math.min(piece, count - at));
      if ((int) crc.getValue() != sums[number++]) {
        return false;
      }
    }
    return true;
  }

  /** Takes a file's bytes from the first to the last; not thread-safe. */
  static final class Builder {
    private final CRC32C crc = new CRC32C();
    private final int piece;
    private int[] sums = new int[16];
    private int count;
    private long length;

    /**
     * @param piece how long pieces are
     */
    Builder(int piece) {
      this.piece = piece;
    }

    void add(byte[] b, int off, int len) {
      int at = off;
      int left = len;
      while (left > 0) {
        int part = (int) Math.min(left, piece - length % piece);
        crc.update(b, at, part);
        length += part;
        at += part;
        left -= part;
        if (length % piece == 0) {
          endPiece();
        }
      }
    }

    private void endPiece() {
      if (count == sums.length) {
        sums = Arrays.copyOf(sums, 2 * count);
      }
      sums[count++] = (int) crc.getValue();
      crc.reset();
    }

    /** How many bytes came. */
    long length() {
      return length;
    }

    /** How many pieces are complete. */
    int pieces() {
      return count;
    }

    /** Whether the complete pieces are those of a file, from one on. */
    boolean begins(FileChecksums file, int fromPiece) {
      return length <= file.length
          && Arrays.equals(sums, fromPiece, count, file.sums, fromPiece, count);
    }

    /** Ends the file. */
    FileChecksums finish() {
      if (length % piece != 0) {
        endPiece();
      }
      return new FileChecksums(length, piece, Arrays.copyOf(sums, count));
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(length);
    out.writeInt(piece);
    for (int sum : sums) {
      out.writeInt(sum);
    }
  }

  static FileChecksums read(DataInputStream in) throws IOException {
    long length = in.readLong();
    int piece = in.readInt();
    if (length < 0 || piece < 1 || piece > MAX_PIECE) {
      throw new CorruptFrameException(length + " bytes in pieces of " + piece);
    }
    long count = length / piece + (length % piece == 0 ? 0 : 1);
    if (count > in.available() / Integer.BYTES) {
      throw new CorruptFrameException(count + " checksums in " + in.available() + " bytes");
    }
    int[] sums = new int[(int) count];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = in.readInt();
    }
    return new FileChecksums(length, piece, sums);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof FileChecksums other
        && length == other.length
        && piece == other.piece
        && Arrays.equals(sums, other.sums);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sums) * 31 + Long.hashCode(length);
  }

  @Override
  public String toString() {
    return length + " bytes in " + sums.length + " pieces";
  }
}
