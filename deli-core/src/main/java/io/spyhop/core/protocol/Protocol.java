package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.DecimalNumber;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * The versions of messages, and the agreement of two programs on one. Who asks says what it speaks,
 * and is answered in what both do; so clients and servers of neighbouring versions work with each
 * other, in both directions, as a rolling restart needs. Stateless.
 *
 * <p>A message that changes gets a new version in its frame, a new number here, and goes on being
 * written in its old version for those who speak the number before. What is older than {@link
 * #OLDEST} is refused with both numbers named.
 */
public final class Protocol {
  /** What this code speaks. */
  public static final int CURRENT = 6;

  /** The oldest that it speaks, too. */
  public static final int OLDEST = 4;

  /** What those speak who do not say: the last version in which nobody said. */
  public static final int UNSAID = 4;

  /** What masters speak that do not know {@link Question#REBUILD}. */
  public static final int BEFORE_REBUILDS = 4;

  /** From which on clients know refusals of scans and Gets as cells: {@link Refusal}. */
  static final int REFUSALS_AS_CELLS = 6;

  private Protocol() {}

  /**
   * What both sides speak.
   *
   * @param theirs what the other side speaks at most
   * @throws DoNotRetryIOException if that is too old
   */
  public static int agreed(int theirs) throws DoNotRetryIOException {
    if (theirs < OLDEST) {
      throw new DoNotRetryIOException(
          "Spyhop: the caller speaks protocol "
              + theirs
              + ", this server speaks "
              + OLDEST
              + " to "
              + CURRENT
              + ": install a version of Spyhop there that is nearer to the server's");
    }
    return Math.min(theirs, CURRENT);
  }

  /** Whether what a server answers to {@link Question#VERSION} is spoken here. */
  public static boolean isSpoken(String version) {
    try {
      int number = Integer.parseInt(version);
      return number >= OLDEST && number <= CURRENT;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** The version that a peer says it speaks, as an int. */
  static int clamped(long said) {
    return (int) Math.max(0, Math.min(said, Integer.MAX_VALUE));
  }

  /** What an operation says in {@link Attributes#PROTOCOL}. */
  static byte[] attribute() {
    return DecimalNumber.encode(CURRENT);
  }

  /**
   * What both sides speak, where one has sent an operation.
   *
   * @param attribute of the operation, {@link Attributes#PROTOCOL}; null if there is none
   * @throws DoNotRetryIOException if that is too old or no number
   */
  public static int agreed(byte[] attribute) throws DoNotRetryIOException {
    if (attribute == null) {
      return agreed(UNSAID);
    }
    try {
      return agreed(clamped(DecimalNumber.decode(attribute)));
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException("Spyhop: the protocol of an operation is no number", e);
    }
  }
}
