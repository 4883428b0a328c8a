package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.GlobalIndexRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.MD5Hash;

/**
 * Something that a master has begun to do to a global index (docs/formats/ddl-journal.md).
 *
 * @param kind what is done
 * @param request to which index, and where its table is split; for a rebuild the new incarnation
 */
record DdlRecord(Kind kind, GlobalIndexRequest request) {
  private static final int MAGIC = 0x5350444a; // SPDJ
  private static final int VERSION = 1;

  /** Kinds of changes; the ordinal is written. */
  enum Kind {
    /** An index is made. */
    CREATE,
    /** An index is dropped. */
    DROP,
    /** An index is made anew, with another incarnation. */
    REBUILD
  }

  TableName base() {
    return request.table();
  }

  IndexDefinition index() {
    return request.index();
  }

  /** The index table's name. */
  TableName table() {
    return IndexTable.nameOf(request.table(), request.index().name());
  }

  /** Whether both are about the same name. */
  boolean isOfSameIndex(DdlRecord other) {
    return table().equals(other.table());
  }

  /** Names the record's file, and the record for people; a clone has the same incarnation. */
  String name() {
    return kind.name().toLowerCase(java.util.Locale.ROOT)
        + "-"
        + Long.toHexString(index().incarnation())
        + ending(table());
  }

  /** How the names of all records of an index end. */
  static String ending(TableName indexTable) {
    return "-" + MD5Hash.getMD5AsHex(indexTable.getName());
  }

  /** Whether a record of that name is about the same name of an index. */
  boolean isOfSameIndex(String name) {
    return name.endsWith(ending(table()));
  }

  byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeByte(kind.ordinal());
    Frame.writeBytes(out, request.encode());
  }

  static DdlRecord decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("DDL record", MAGIC, VERSION, bytes, DdlRecord::read);
  }

  private static DdlRecord read(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    if (kind >= Kind.values().length) {
      throw new CorruptFrameException("unknown kind " + kind);
    }
    return new DdlRecord(Kind.values()[kind], GlobalIndexRequest.decode(Frame.readBytes(in)));
  }

  @Override
  public String toString() {
    return kind + " index '" + index().name() + "' of table '" + base() + "'";
  }
}
