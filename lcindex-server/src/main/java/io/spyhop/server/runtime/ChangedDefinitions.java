package io.spyhop.server.runtime;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/**
 * A table whose index definitions have changed ({@code docs/formats/definitions-node.md}).
 *
 * @param table its name
 */
record ChangedDefinitions(TableName table) {
  private static final int MAGIC = 0x5350444E; // SPDN
  private static final int VERSION = 1;

  byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(table.getNameAsString());
  }

  static ChangedDefinitions decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("changed definitions", MAGIC, VERSION, bytes, ChangedDefinitions::read);
  }

  private static ChangedDefinitions read(DataInputStream in) throws IOException {
    return new ChangedDefinitions(TableName.valueOf(Frame.readUtf(in)));
  }
}
