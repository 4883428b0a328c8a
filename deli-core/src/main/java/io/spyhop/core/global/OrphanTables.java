package io.spyhop.core.global;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * Index tables that no definition names: nobody reads or writes them.
 *
 * @param orphans ordered by name
 */
public record OrphanTables(List<Orphan> orphans) {
  private static final int MAGIC = 0x53504f54; // SPOT
  private static final int VERSION = 1;

  /**
   * One of them.
   *
   * @param table the index table
   * @param base the table whose index it held
   * @param why what is missing
   */
  public record Orphan(TableName table, TableName base, String why) {}

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeInt(orphans.size());
    for (Orphan o : orphans) {
      out.writeUTF(o.table.getNameAsString());
      out.writeUTF(o.base.getNameAsString());
      out.writeUTF(o.why);
    }
  }

  /** Reads the wire form. */
  public static OrphanTables decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("orphaned tables", MAGIC, VERSION, bytes, OrphanTables::read);
  }

  private static OrphanTables read(DataInputStream in) throws IOException {
    List<Orphan> orphans = new ArrayList<>();
    for (int n = Frame.readCount(in); n > 0; n--) {
      orphans.add(
          new Orphan(
              TableName.valueOf(in.readUTF()), TableName.valueOf(in.readUTF()), in.readUTF()));
    }
    return new OrphanTables(List.copyOf(orphans));
  }
}
