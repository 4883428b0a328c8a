package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hbase.io.hfile.CorruptHFileException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FileDamageTest {
  static List<Throwable> damage() {
    IOException ring = new IOException("a");
    ring.initCause(new IOException("b", ring));
    return List.of(
        new CorruptIndexFileException("checksum of x does not match in bytes 0 to 9"),
        new CorruptFrameException("wrong checksum"),
        new CorruptIndexFileException("x ends before its 9 bytes", new EOFException()),
        new CorruptIndexFileException("cannot read x", new IllegalArgumentException("-1")),
        new CorruptHFileException("Problem reading HFile Trailer", new IllegalStateException()),
        new ChecksumException("x", 5),
        new EOFException("Cannot seek after EOF"),
        new FileNotFoundException("/x (No such file or directory)"),
        new NoSuchFileException("/x"),
        new IndexOutOfBoundsException(7),
        new IOException("Input/output error"),
        new IOException((String) null),
        new RemoteException(FileNotFoundException.class.getName(), "File does not exist: /x"),
        ring);
  }

  static List<Throwable> trouble() {
    return List.of(
        new FileNotFoundException("/x.ifile (Too many open files)"),
        new FileNotFoundException("/x.ifile (Permission denied)"),
        new FileSystemException("/x", null, "Too many open files in system"),
        new IOException("No space left on device"),
        new IOException("Disk quota exceeded"),
        new IOException("Cannot allocate memory"),
        new OutOfMemoryError("Direct buffer memory"),
        new InterruptedIOException(),
        new InterruptedException(),
        new ClosedByInterruptException(),
        new ClosedChannelException(),
        new IOException("Stream closed"),
        new IOException("Filesystem closed"),
        new SocketTimeoutException("60000 millis timeout"),
        new TimeoutException(),
        new ConnectException("Connection refused"),
        new UnknownHostException("namenode"),
        new EOFException(
            "End of File Exception between local host is: \"a/1.2.3.4\"; destination host is: b"),
        new StandbyException("standby"),
        new RemoteException("org.apache.hadoop.hdfs.server.namenode.SafeModeException", "safe"),
        new AccessDeniedException("/x"),
        new AccessControlException("user=eve"));
  }

  @ParameterizedTest
  @MethodSource
  void damage(Throwable failure) {
    assertThat(FileDamage.isDamage(failure)).isTrue();
    assertThat(FileDamage.isDamage(new IOException("reading failed", failure))).isTrue();
  }

  @ParameterizedTest
  @MethodSource
  void trouble(Throwable failure) {
    assertThat(FileDamage.isDamage(failure)).isFalse();
    assertThat(FileDamage.isDamage(new CorruptHFileException("Problem reading trailer", failure)))
        .as("whatever HBase makes of it")
        .isFalse();
    assertThat(
            FileDamage.isDamage(
                new CorruptIndexFileException(
                    "cannot read x",
                    new UncheckedIOException(new IOException("while reading", failure)))))
        .isFalse();
  }
}
