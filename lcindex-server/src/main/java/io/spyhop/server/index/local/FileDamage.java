package io.spyhop.server.index.local;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.PathPermissionException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Tells damage of a file from trouble of the machine. What is damaged is dropped and built again; a
 * file that could not be read for want of a file descriptor, say, is as good as before and stays.
 * Stateless.
 */
public final class FileDamage {
  /** Longer chains of causes are cut; they may be rings. */
  private static final int DEPTH = 32;

  private static final List<Class<? extends Throwable>> TROUBLE =
      List.of(
          InterruptedIOException.class, // SocketTimeoutException is one
          InterruptedException.class,
          TimeoutException.class,
          CancellationException.class,
          RejectedExecutionException.class,
          ClosedChannelException.class,
          SocketException.class,
          UnknownHostException.class,
          AccessDeniedException.class,
          AccessControlException.class,
          PathPermissionException.class,
          RetriableException.class,
          StandbyException.class,
          VirtualMachineError.class);

  /** As the C library, the JVM and Hadoop's client say it; in lower case. */
  private static final List<String> MESSAGES =
      List.of(
          "too many open files",
          "no space left on device",
          "disk quota exceeded",
          "cannot allocate memory",
          "resource temporarily unavailable",
          "transport endpoint is not connected",
          "permission denied",
          "filesystem closed",
          "stream closed",
          "stream is closed",
          "between local host and destination host",
          "between local host is:");

  private FileDamage() {}

  /**
   * Whether a failure to read a file is the file's: its checksum does not match, its format is not
   * understood, it ends early, it is not there. Anything in the chain of causes that speaks of the
   * machine (file descriptors, room, memory, rights, the network, an interrupted thread, a closed
   * channel) says otherwise, whatever has been made of it since: a file that was not opened is
   * reported as not found, and HBase calls whatever it meets in a trailer corrupt. What is unknown
   * counts as damage, so that a file that can never be read does not stay for good. So does a block
   * that HDFS does not find after its own tries: there is one replica of index files.
   */
  public static boolean isDamage(Throwable failure) {
    Throwable e = failure;
    for (int i = 0; e != null && i < DEPTH; i++) {
      if (isTrouble(e)) {
        return false;
      }
      e = e.getCause();
    }
    return true;
  }

  private static boolean isTrouble(Throwable e) {
    if (e instanceof RemoteException remote) {
      IOException there = remote.unwrapRemoteException(FileNotFoundException.class);
      return !(there instanceof FileNotFoundException);
    }
    if (TROUBLE.stream().anyMatch(c -> c.isInstance(e))) {
      return true;
    }
    if (e.getMessage() == null) {
      return false;
    }
    String message = e.getMessage().toLowerCase(Locale.ROOT);
    return MESSAGES.stream().anyMatch(message::contains);
  }
}
