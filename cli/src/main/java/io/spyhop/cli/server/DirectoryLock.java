package io.spyhop.cli.server;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second HBase out of a data directory while one runs in it. */
final class DirectoryLock implements Closeable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks a directory until closed, or until this process ends.
   *
   * @throws IOException if another HBase has it
   */
  static DirectoryLock of(DataDirectory dir) throws IOException {
    Path file = dir.lock();
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!tryLock(channel)) {
      channel.close();
      throw new IOException("another HBase runs in '" + dir + "' (it holds '" + file + "')");
    }
    return new DirectoryLock(channel);
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // by this very process
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
