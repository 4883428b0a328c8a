package io.spyhop.core.protocol;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Index tables that no definition names: nobody reads or writes them.
 *
 * @param orphans ordered by name
 */
public record OrphanTables(List<Orphan> orphans) {
  private static final int MAGIC = 0x53504f54; // SPOT
  private static final int VERSION = 1;

  /**
   * One of them. HBase keeps every {@link TableName} that was ever made, in a list that it copies
   * for each new one; so they are made when they are asked for.
   *
   * @param name the index table's
   * @param baseName of the table whose index it held
   * @param why what is missing
   */
  public record Orphan(String name, String baseName, String why) {
    /** An orphan. */
    public Orphan(TableName table, TableName base, String why) {
      this(table.getNameAsString(), base.getNameAsString(), why);
    }

    /** The index table. */
    public TableName table() {
      return TableName.valueOf(name);
    }

    /** The table whose index it held. */
    public TableName base() {
      return TableName.valueOf(baseName);
    }
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    Frame.writeList(
        out,
        orphans,
        (to, o) -> {
          to.writeUTF(o.name);
          to.writeUTF(o.baseName);
          to.writeUTF(o.why);
        });
  }

  /** Reads the wire form. */
  public static OrphanTables decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("orphaned tables", MAGIC, VERSION, bytes, OrphanTables::read);
  }

  private static OrphanTables read(DataInputStream in) throws IOException {
    return new OrphanTables(
        List.copyOf(Frame.readList(in, 3 * Frame.LEAST_UTF, OrphanTables::readOrphan)));
  }

  private static Orphan readOrphan(DataInputStream in) throws IOException {
    return new Orphan(readName(in), readName(in), Frame.readUtf(in));
  }

  private static String readName(DataInputStream in) throws IOException {
    String name = Frame.readUtf(in);
    TableName.isLegalFullyQualifiedTableName(Bytes.toBytes(name));
    return name;
  }
}
