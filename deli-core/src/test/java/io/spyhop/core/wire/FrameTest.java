package io.spyhop.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final int MAGIC = 0x54455354;

  private static byte[] frame() {
    return Frame.encode(
        MAGIC,
        3,
        out -> {
          out.writeUTF("payload");
          Frame.writeBytes(out, null);
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
          assertThat(Frame.readBytes(in)).isNull();
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
