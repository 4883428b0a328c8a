package io.spyhop.client.global;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.ipc.RemoteException;

/** Tells an index that does not want to answer from one that cannot be reached. Stateless. */
public final class Refusals {
  private Refusals() {}

  /** Whether a server has understood and refused, so that asking again is of no use. */
  static boolean isRefusal(Throwable failure) {
    Throwable e = unwrapped(failure);
    return e instanceof DoNotRetryIOException;
  }

  /** What a failure says, in one line. */
  public static String text(Throwable failure) {
    Throwable e = unwrapped(failure);
    String said = e.getMessage() == null ? e.toString() : e.getMessage();
    return said.lines().findFirst().orElse("").strip();
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
  }
}
