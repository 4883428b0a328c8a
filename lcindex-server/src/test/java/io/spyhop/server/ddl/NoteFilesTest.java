package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.testing.QuickFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notes are whole, at whatever time they are read. */
class NoteFilesTest {
  private static final int MOST = 2_000;
  private static final int TIMES = 100;
  private static final int MAGIC = 0x4E4F5445; // NOTE

  @TempDir private Path directory;
  private NoteFiles<byte[]> files;

  @BeforeEach
  void open() throws IOException {
    files = open(QuickFiles.open());
  }

  private NoteFiles<byte[]> open(FileSystem fs) {
    return new NoteFiles<>(
        fs,
        new org.apache.hadoop.fs.Path(directory.resolve("notes").toUri().toString()),
        MOST,
        note -> Frame.encode(MAGIC, 1, out -> Frame.writeBytes(out, note)),
        bytes -> Frame.decode("note", MAGIC, 1, bytes, Frame::readBytes));
  }

  @Test
  void nothingIsThereAtFirst() throws IOException {
    assertThat(files.names()).isEmpty();
    assertThat(files.has("a")).isFalse();
    assertThatThrownBy(() -> files.read("a")).isInstanceOf(FileNotFoundException.class);
    files.delete("a");
  }

  @Test
  void theLastOneCounts() throws IOException {
    files.write("a", new byte[] {1, 2, 3});
    files.write("a", new byte[] {4});
    files.write("b", new byte[0]);
    Files.write(directory.resolve("notes").resolve("c.tmp"), new byte[] {5});
    Files.copy(
        directory.resolve("notes").resolve("b"), directory.resolve("notes").resolve("a.tmp"));
    assertThat(files.read("a")).containsExactly(4);
    assertThat(files.names()).containsExactlyInAnyOrder("a", "b");
    files.delete("a");
    assertThat(files.names()).containsExactly("b");
  }

  @Test
  void aLongOneIsDamaged() throws IOException {
    files.write("a", new byte[MOST - 100]);
    assertThat(files.read("a")).hasSize(MOST - 100);
    files.write("a", new byte[MOST + 1]);
    assertThatThrownBy(() -> files.read("a"))
        .isInstanceOf(CorruptFrameException.class)
        .hasMessageContaining("has more than 2000 bytes");
  }

  /** HBase by itself has local files, with checksums beside them. */
  @Test
  void aFileThatItsChecksumsDenyIsDamaged() throws IOException {
    NoteFiles<byte[]> checked = open(new LocalFileSystem(QuickFiles.open()));
    checked.write("a", new byte[] {1});
    Path file = directory.resolve("notes").resolve("a");
    Files.copy(file, file.resolveSibling("a.tmp"));
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 5));
    assertThat(checked.read("a")).containsExactly(1);
    Files.delete(file.resolveSibling("a.tmp"));
    assertThatThrownBy(() -> checked.read("a")).isInstanceOf(CorruptFrameException.class);
    checked.write("a", new byte[] {2});
    assertThat(checked.read("a")).containsExactly(2);
  }

  /** Two masters in a row die, each after every one of its steps. */
  @Test
  void aNoteOutlivesMastersThatDie() throws IOException {
    files.write("a", new byte[] {1});
    int steps = stepsOf(files.read("a"));
    assertThat(steps).as("create, write, close, twice, and a delete").isEqualTo(7);
    for (int first = 0; first < steps; first++) {
      for (int second = 0; second <= steps; second++) {
        files.write("a", new byte[] {1});
        assertThat(writeAndDie(first, 2)).isIn(1, 2);
        byte found = files.read("a")[0];
        assertThat(writeAndDie(second, 3)).as("%d, %d", first, second).isIn((int) found, 3);
        assertThat(files.names()).containsExactly("a");
      }
    }
  }

  private int stepsOf(byte[] note) throws IOException {
    DyingFiles fs = new DyingFiles(QuickFiles.open(), Integer.MAX_VALUE);
    open(fs).write("a", note);
    return fs.steps();
  }

  /** What the note is then. */
  private int writeAndDie(int steps, int note) throws IOException {
    try {
      open(new DyingFiles(QuickFiles.open(), steps)).write("a", new byte[] {(byte) note});
    } catch (DyingFiles.DeadException e) {
      assertThat(e).hasMessageContaining("dead");
    }
    return files.read("a")[0];
  }

  /** Each has its length in all its bytes. */
  @Test
  void oneThatIsReplacedMeanwhileIsWhole() throws IOException {
    AtomicBoolean over = new AtomicBoolean();
    files.write("a", new byte[] {1});
    CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(over));
    int read = 0;
    while (!over.get()) {
      byte[] found = files.read("a");
      assertThat(found).containsOnly((byte) found.length).hasSizeLessThanOrEqualTo(TIMES);
      read++;
    }
    writer.join();
    assertThat(read).isPositive();
  }

  private void write(AtomicBoolean over) {
    try {
      for (int i = 1; i <= TIMES; i++) {
        byte[] note = new byte[1 + i * 7 % TIMES];
        Arrays.fill(note, (byte) note.length);
        files.write("a", note);
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    } finally {
      over.set(true);
    }
  }
}
