package io.spyhop.core.protocol;

import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The definitions of a table that a client must know to query it ({@code
 * docs/formats/region-messages.md}). A region tells them to callers who may read something of the
 * table; the table's descriptor, from which they are, is shown by HBase only to those who may
 * change the table. Immutable, thread-safe.
 *
 * @param families the table's families, in order
 * @param indexes its indexes, as {@link IndexDefinition#forQueries} has them
 * @param buckets the text of its {@link BucketOptions}, not yet read; empty if it has no buckets
 */
public record TableDefinitions(
    List<Family> families, IndexSchema indexes, Optional<String> buckets) {
  private static final int MAGIC = 0x53505444; // SPTD
  private static final int VERSION = 1;

  /**
   * Stands for the bucket options among the definitions, as no index can be called so: versions
   * that know of no buckets take it for a definition that they cannot read.
   */
  private static final String BUCKETS = ".buckets";

  /** A newer server's definitions that are left out; more are no table's. */
  private static final int MAX_UNREADABLE = 100;

  /** On a question: tell what is known. */
  public static final byte[] KNOWN = {};

  /** On a question: read the descriptor again first, as something is missing. */
  public static final byte[] AGAIN = {1};

  /**
   * A column family.
   *
   * @param maxVersions how many versions it keeps
   * @param newVersionBehavior whether it has HBase's new version behaviour
   */
  public record Family(byte[] name, int maxVersions, boolean newVersionBehavior) {
    private static Family of(ColumnFamilyDescriptor f) {
      return new Family(f.getName(), f.getMaxVersions(), f.isNewVersionBehavior());
    }
  }

  /** Of these families and indexes. */
  public TableDefinitions {
    families = List.copyOf(families);
  }

  /**
   * What a descriptor says.
   *
   * @param indexes the table's indexes, which may be newer than the descriptor
   * @param visible which of them may be told
   */
  public static TableDefinitions of(
      TableDescriptor table, IndexSchema indexes, Predicate<IndexDefinition> visible) {
    List<Family> families = Arrays.stream(table.getColumnFamilies()).map(Family::of).toList();
    List<IndexDefinition> told =
        indexes.indexes().stream().filter(visible).map(IndexDefinition::forQueries).toList();
    return new TableDefinitions(
        families, IndexSchema.of(told), Optional.ofNullable(table.getValue(BucketOptions.KEY)));
  }

  /** All that a descriptor says. */
  public static TableDefinitions of(TableDescriptor table) {
    return of(table, IndexSchema.of(table), any -> true);
  }

  /**
   * The family of that name.
   *
   * @throws InvalidIndexException if there is none, as an index of it cannot be used then
   */
  public Family family(byte[] name) {
    return families.stream()
        .filter(f -> Arrays.equals(f.name, name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidIndexException(
                    "the table has no column family '" + Bytes.toStringBinary(name) + "'"));
  }

  /** The wire form. */
  public byte[] encode() {
    return Frame.encode(MAGIC, VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeInt(families.size());
    for (Family f : families) {
      Frame.writeBytes(out, f.name);
      out.writeInt(f.maxVersions);
      out.writeBoolean(f.newVersionBehavior);
    }
    List<IndexDefinition> all = indexes.indexes();
    out.writeInt(all.size() + (buckets.isPresent() ? 1 : 0));
    for (IndexDefinition d : all) {
      out.writeUTF(d.name());
      out.writeUTF(d.text());
    }
    if (buckets.isPresent()) {
      out.writeUTF(BUCKETS);
      out.writeUTF(buckets.get());
    }
  }

  /** Reads the wire form. Definitions that this version cannot read are left out. */
  public static TableDefinitions decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("table definitions", MAGIC, VERSION, bytes, TableDefinitions::read);
  }

  private static TableDefinitions read(DataInputStream in) throws IOException {
    List<Family> families =
        Frame.readList(
            in,
            Frame.LEAST_BYTES + Integer.BYTES + 1,
            f -> new Family(Frame.readBytes(f), f.readInt(), f.readBoolean()));
    List<IndexDefinition> indexes = new ArrayList<>();
    Optional<String> buckets = Optional.empty();
    int unreadable = 0;
    for (int n = Frame.readCount(in, 2 * Frame.LEAST_UTF); n > 0; n--) {
      String name = Frame.readUtf(in);
      String text = Frame.readUtf(in);
      if (name.equals(BUCKETS)) {
        buckets = Optional.of(text);
        continue;
      }
      unreadable += read(name, text, indexes) ? 0 : 1;
      if (unreadable > MAX_UNREADABLE) {
        throw new CorruptFrameException(
            "more than " + MAX_UNREADABLE + " definitions that this version cannot read");
      }
    }
    return new TableDefinitions(families, IndexSchema.of(indexes), buckets);
  }

  /** False if it cannot be read. */
  private static boolean read(String name, String text, List<IndexDefinition> into) {
    try {
      return into.add(IndexDefinition.parse(name, text));
    } catch (InvalidIndexException e) {
      // A newer server's: the table answers without it, as with any definition nobody can read.
      return false;
    }
  }
}
