package io.spyhop.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * Correctness rule 35: anybody may send a predicate, and it is read before anyone asks who sends
 * it.
 */
class PredicateCodecTest {
  private static final int MAGIC = 0x53505244;
  private static final int LENGTH = 1 << 20;
  private static final byte ALL = 2;

  private static long allocatedBy(byte[] frame) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(id);
    assertThatThrownBy(() -> PredicateCodec.decode(frame))
        .isInstanceOf(CorruptFrameException.class);
    return threads.getThreadAllocatedBytes(id) - before;
  }

  /** Each of 200 nodes, one in the other, claims as many children as there are bytes. */
  @Test
  void nodesThatClaimManyChildren() {
    byte[] frame =
        Frame.encode(
            MAGIC,
            1,
            out -> {
              out.writeInt(0);
              out.writeInt(0);
              for (int depth = 0; depth < 200; depth++) {
                out.writeByte(ALL);
                out.writeInt(LENGTH / 2);
              }
              out.write(new byte[LENGTH]);
            });
    assertThat(allocatedBy(frame)).isLessThan(10L * LENGTH);
  }

  /** What is no predicate is damage, whatever reading it trips over. */
  @Test
  void bytesThatAreNoPredicate() {
    byte[] frame =
        Frame.encode(
            MAGIC,
            1,
            out -> {
              out.writeInt(1);
              Frame.writeBytes(out, null);
              Frame.writeBytes(out, null);
              out.writeUTF("LONG");
            });
    assertThatThrownBy(() -> PredicateCodec.decode(frame))
        .isInstanceOf(CorruptFrameException.class)
        .hasMessageContaining("predicate");
  }
}
