package io.spyhop.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final int MAGIC = 0x54455354;

  private static byte[] frame() {
    return Frame.encode(
        MAGIC,
        3,
        out -> {
          out.writeUTF("payload");
          Frame.writeBytesOrNull(out, null);
          Frame.writeBytes(out, new byte[] {1, 2});
        });
  }

  private static String read(byte[] frame) throws CorruptFrameException {
    return Frame.decode(
        "test",
        MAGIC,
        3,
        frame,
        in -> {
          String s = in.readUTF();
          assertThat(Frame.readBytesOrNull(in)).isNull();
          return s + Frame.readBytes(in).length;
        });
  }

  @Test
  void roundTrip() throws CorruptFrameException {
    assertThat(read(frame())).isEqualTo("payload2");
  }

  @Test
  void everySingleDamagedByteIsNoticed() {
    byte[] good = frame();
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 0x10;
      assertThatThrownBy(() -> read(bad)).isInstanceOf(CorruptFrameException.class);
    }
  }

  @Test
  void everyTruncationIsNoticed() {
    byte[] good = frame();
    for (int i = 0; i < good.length; i++) {
      byte[] bad = Arrays.copyOf(good, i);
      assertThatThrownBy(() -> read(bad)).isInstanceOf(CorruptFrameException.class);
    }
  }

  @Test
  void noBytesAreNoFrame() {
    assertThatThrownBy(() -> read(null)).isInstanceOf(CorruptFrameException.class);
  }

  private static <T> void refuses(Frame.Body body, Frame.Parser<T> parser, String message) {
    byte[] frame = Frame.encode(MAGIC, 3, body);
    assertThatThrownBy(() -> Frame.decode("test", MAGIC, 3, frame, parser))
        .isInstanceOf(CorruptFrameException.class)
        .hasStackTraceContaining(message);
  }

  @Test
  void nullIsNoByteArray() {
    refuses(out -> Frame.writeBytesOrNull(out, null), Frame::readBytes, "null where bytes must be");
  }

  @Test
  void whatIsLongerThanWhatIsLeft() {
    refuses(out -> out.writeInt(1), Frame::readBytes, "byte array of 1, 0 left");
    refuses(out -> out.writeInt(-2), Frame::readBytes, "byte array of -2, 0 left");
    refuses(out -> out.writeShort(0xffff), Frame::readUtf, "text of 65535 bytes, 0 left");
  }

  @Test
  void countsAreBelievedAsFarAsTheBytesReach() throws CorruptFrameException {
    byte[] two =
        Frame.encode(MAGIC, 3, out -> Frame.writeList(out, List.of(5, 6), (o, i) -> o.writeInt(i)));
    List<Integer> read =
        Frame.decode("test", MAGIC, 3, two, in -> Frame.readList(in, 4, DataInputStream::readInt));
    assertThat(read).containsExactly(5, 6);
    for (int count : new int[] {2, -1, Integer.MAX_VALUE}) {
      refuses(
          out -> {
            out.writeInt(count);
            out.write(new byte[7]);
          },
          in -> Frame.readList(in, 4, DataInputStream::readInt),
          "count of " + count + ", 7 bytes left");
    }
  }

  private static List<?> nested(DataInputStream in) throws IOException {
    return Frame.readList(in, 1, FrameTest::nested);
  }

  /** Lists within lists may all claim what is left: none is believed in before it is there. */
  @Test
  void countsSizeNothing() {
    int length = 1 << 20;
    byte[] frame =
        Frame.encode(
            MAGIC,
            3,
            out -> {
              for (int depth = 0; depth < 200; depth++) {
                out.writeInt(length);
              }
              out.writeInt(-1);
              out.write(new byte[length]);
            });
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> Frame.decode("test", MAGIC, 3, frame, FrameTest::nested))
        .isInstanceOf(CorruptFrameException.class)
        .hasStackTraceContaining("count of -1");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10L * length);
  }

  @Test
  void otherVersionNamesBoth() {
    byte[] other = Frame.encode(MAGIC, 4, out -> out.writeInt(1));
    assertThatThrownBy(() -> read(other)).hasMessageContaining("4").hasMessageContaining("3");
  }

  @Test
  void severalVersionsAreRead() throws CorruptFrameException {
    for (int version : new int[] {2, 3}) {
      byte[] frame = Frame.encode(MAGIC, version, out -> {});
      int found = Frame.decode("test", MAGIC, 2, 3, frame, (in, v) -> v);
      assertThat(found).isEqualTo(version);
    }
    byte[] newer = Frame.encode(MAGIC, 4, out -> {});
    assertThatThrownBy(() -> Frame.decode("test", MAGIC, 2, 3, newer, (in, v) -> v))
        .hasMessage("test: format version 4, this code reads versions 2 to 3");
  }

  @Test
  void bytesLeftOver() {
    byte[] longer = Frame.encode(MAGIC, 3, out -> out.write(new byte[100]));
    assertThatThrownBy(() -> Frame.decode("test", MAGIC, 3, longer, in -> in.readInt()))
        .hasMessageContaining("left over");
  }
}
