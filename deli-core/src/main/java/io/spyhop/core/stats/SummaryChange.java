package io.spyhop.core.stats;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * One entry of a memstore's statistics log (paper, section 5.2): what a write changed. Immutable,
 * thread-safe.
 *
 * @param kind what it says
 * @param column the column, or null where the kind has none
 * @param bytes the value key, or the family, or null
 */
public record SummaryChange(Kind kind, ColumnName column, byte[] bytes) {
  /** Kinds of changes by writes. */
  public enum Kind {
    /** A put with that value key. */
    VALUE(true, true),
    /** A put whose value does not decode. */
    UNDECODABLE(true, false),
    /** A put whose value has no key. */
    UNKEYABLE(true, false),
    /** A row that may have no put of the column in the memstore. */
    ABSENT(true, false),
    /** A delete marker. */
    DELETE(false, false),
    /** A cell with a TTL of its own. */
    CELL_TTL(false, false),
    /** The memstore of that family is no longer empty. */
    OCCUPIED(false, true);

    private final boolean ofColumn;
    private final boolean ofBytes;

    Kind(boolean ofColumn, boolean ofBytes) {
      this.ofColumn = ofColumn;
      this.ofBytes = ofBytes;
    }
  }

  /** What a change takes beside its bytes: itself, an array, and its place in a list. */
  private static final int OBJECTS = 24 + 24 + 8;

  /** The bytes of a change at least. */
  public static final int LEAST = 1 + 3 * Frame.LEAST_BYTES;

  /** A put with that value key. */
  public static SummaryChange value(ColumnName column, byte[] key) {
    return new SummaryChange(Kind.VALUE, column, key);
  }

  /** A change of a column that says all with its kind. */
  public static SummaryChange of(Kind kind, ColumnName column) {
    return new SummaryChange(kind, column, null);
  }

  /** {@link Kind#DELETE} or {@link Kind#CELL_TTL}. */
  public static SummaryChange of(Kind kind) {
    return new SummaryChange(kind, null, null);
  }

  /** The memstore of that family is no longer empty. */
  public static SummaryChange occupied(byte[] family) {
    return new SummaryChange(Kind.OCCUPIED, null, family);
  }

  /** The memstore's summary after the change; unknown columns stay unknown. */
  public SourceSummary applyTo(SourceSummary s) {
    return switch (kind) {
      case DELETE -> new SourceSummary(true, s.cellTtl(), s.columns());
      case CELL_TTL -> new SourceSummary(s.deletes(), true, s.columns());
      case OCCUPIED -> s;
      default -> {
        ColumnSummary c = s.columns().get(column);
        yield c == null ? s : s.with(column, applyTo(c));
      }
    };
  }

  /**
   * The column's summary after the change.
   *
   * @throws IllegalStateException if the change is of no column
   */
  public ColumnSummary applyTo(ColumnSummary c) {
    return switch (kind) {
      case VALUE -> c.with(bytes);
      case UNDECODABLE -> c.withUndecodable();
      case UNKEYABLE -> c.withUnkeyable();
      case ABSENT -> c.withAbsent();
      default -> throw new IllegalStateException(kind + " is of no column");
    };
  }

  /** Bytes that it takes in memory, about; names of columns are shared. */
  public int heapSize() {
    return OBJECTS + (bytes == null ? 0 : bytes.length);
  }

  public void write(DataOutputStream out) throws IOException {
    out.writeByte(kind.ordinal());
    Frame.writeBytesOrNull(out, column == null ? null : column.family());
    Frame.writeBytesOrNull(out, column == null ? null : column.qualifier());
    Frame.writeBytesOrNull(out, bytes);
  }

  public static SummaryChange read(DataInputStream in) throws IOException {
    int kind = in.readByte();
    if (kind < 0 || kind >= Kind.values().length) {
      throw new CorruptFrameException("statistics log entry of unknown kind " + kind);
    }
    Kind of = Kind.values()[kind];
    byte[] family = Frame.readBytesOrNull(in);
    byte[] qualifier = Frame.readBytesOrNull(in);
    byte[] bytes = Frame.readBytesOrNull(in);
    if ((family != null) != of.ofColumn
        || (qualifier != null) != of.ofColumn
        || (bytes != null) != of.ofBytes) {
      throw new CorruptFrameException("statistics log entry " + of + " with other parts");
    }
    return new SummaryChange(of, of.ofColumn ? ColumnName.of(family, qualifier) : null, bytes);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SummaryChange c
        && kind == c.kind
        && Objects.equals(column, c.column)
        && Arrays.equals(bytes, c.bytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, column, Arrays.hashCode(bytes));
  }
}
