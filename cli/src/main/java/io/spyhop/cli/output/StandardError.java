package io.spyhop.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * The standard error of this process, whatever {@code System.err} is: that is taken away from
 * libraries, as HBase's client prints the stack trace of every scan that fails there
 * (RpcRetryingCallerWithReadReplicas). Stateless.
 */
public final class StandardError {
  private StandardError() {}

  /** A stream of the caller's own, which need not be closed. */
  public static PrintStream stream() {
    return new PrintStream(
        new FileOutputStream(FileDescriptor.err), true, Charset.defaultCharset());
  }
}
