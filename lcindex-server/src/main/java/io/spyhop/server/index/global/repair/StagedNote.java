package io.spyhop.server.index.global.repair;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.seal.SideFiles;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The part of a compaction's inputs that is read again once it has committed: durable before it
 * does, as nobody could tell afterwards (docs/formats/repair-list.md).
 *
 * @param region the encoded name of the region that was compacted
 * @param start its first row
 * @param end the row behind its last one; empty is none
 * @param family which was compacted
 * @param inputs names of its HFiles
 * @param incarnations of the indexes that have to know
 */
record StagedNote(
    String region,
    byte[] start,
    byte[] end,
    byte[] family,
    Set<String> inputs,
    List<Long> incarnations) {
  private static final int MAGIC = 0x53505347; // SPSG
  private static final int VERSION = 1;
  private static final int MAX_LENGTH = 16 << 20;

  static StagedNote of(
      RegionInfo region, byte[] family, Set<String> inputs, List<IndexDefinition> indexes) {
    return new StagedNote(
        region.getEncodedName(),
        region.getStartKey(),
        region.getEndKey(),
        family,
        new TreeSet<>(inputs),
        indexes.stream().map(IndexDefinition::incarnation).toList());
  }

  /** Whether a row was of the region. */
  boolean holds(byte[] row) {
    return Bytes.compareTo(row, start) >= 0 && (end.length == 0 || Bytes.compareTo(row, end) < 0);
  }

  /** Those of some indexes that are meant. */
  List<IndexDefinition> meant(List<IndexDefinition> indexes) {
    return indexes.stream()
        .filter(i -> incarnations.contains(i.incarnation()))
        .filter(i -> Arrays.equals(i.column().family(), family))
        .toList();
  }

  /** Makes it durable. */
  void store(RepairDirectory directory, Path path) throws IOException {
    byte[] bytes = directory.seal().seal(family, encode());
    SideFiles.write(directory.create(path), bytes);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(region);
    Frame.writeBytes(out, start);
    Frame.writeBytes(out, end);
    Frame.writeBytes(out, family);
    Frame.writeList(out, inputs, DataOutputStream::writeUTF);
    Frame.writeList(out, incarnations, DataOutputStream::writeLong);
  }

  /**
   * Reads a note.
   *
   * @throws CorruptFrameException if it is not whole
   * @throws IOException if it cannot be read now, or the key of its family cannot be had
   */
  static StagedNote load(RepairDirectory directory, Path path) throws IOException {
    return decode(directory.seal().open(SideFiles.read(directory.fs(), path, MAX_LENGTH)));
  }

  /** The file's bytes. */
  byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  /** Reads the file's bytes. */
  static StagedNote decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("note of a compaction", MAGIC, VERSION, bytes, StagedNote::read);
  }

  private static StagedNote read(DataInputStream in) throws IOException {
    String region = Frame.readUtf(in);
    byte[] start = Frame.readBytes(in);
    byte[] end = Frame.readBytes(in);
    byte[] family = Frame.readBytes(in);
    Set<String> inputs = new TreeSet<>(Frame.readList(in, Frame.LEAST_UTF, Frame::readUtf));
    List<Long> incarnations = Frame.readList(in, Long.BYTES, DataInputStream::readLong);
    return new StagedNote(region, start, end, family, inputs, incarnations);
  }
}
