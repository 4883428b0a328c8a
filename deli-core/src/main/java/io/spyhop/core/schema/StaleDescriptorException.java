package io.spyhop.core.schema;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A table's new descriptor was made of one that another client has replaced meanwhile: HBase writes
 * whole descriptors, and what the other client changed would be undone. Read the descriptor again.
 */
public class StaleDescriptorException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** HBase makes it anew from its message, wherever it arrives. */
  public StaleDescriptorException(String message) {
    super(message);
  }
}
