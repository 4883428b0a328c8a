package io.spyhop.client;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * An index was refused because some server of the cluster does not run Spyhop, or does not say
 * whether it does. Trying again helps only once the servers named in the message have been
 * configured and restarted, or answer.
 */
public class SpyhopNotInstalledException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** A message that names the servers and what to configure. */
  public SpyhopNotInstalledException(String message) {
    super(message);
  }
}
