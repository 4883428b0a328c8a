package io.spyhop.core.schema;

import io.spyhop.core.value.BinaryText;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A column: family and qualifier. Immutable and thread-safe as long as nobody writes to the arrays
 * that {@link #family()} and {@link #qualifier()} hand out.
 */
public final class ColumnName implements Comparable<ColumnName> {
  /** What {@code Bytes.toBytesBinary} reads past the end of. */
  private static final Pattern CUT = Pattern.compile("\\\\x.?$");

  private final byte[] family;
  private final byte[] qualifier;

  private ColumnName(byte[] family, byte[] qualifier) {
    this.family = family;
    this.qualifier = qualifier;
  }

  /** A column from its parts; the qualifier may be empty, the family may not. */
  public static ColumnName of(byte[] family, byte[] qualifier) {
    if (family.length == 0) {
      throw new IllegalArgumentException("a column needs a family");
    }
    return new ColumnName(family.clone(), qualifier.clone());
  }

  /**
   * Parses {@code family:qualifier}; bytes may be written {@code \xNN}, and characters beyond ASCII
   * are those of UTF-8.
   *
   * @throws IllegalArgumentException if there is no colon or no family
   */
  public static ColumnName parse(String text) {
    int colon = Objects.requireNonNull(text, "the name of a column is null").indexOf(':');
    if (colon <= 0) {
      throw new IllegalArgumentException(
          "column '" + text + "' is not of the form family:qualifier");
    }
    return new ColumnName(bytes(text.substring(0, colon)), bytes(text.substring(colon + 1)));
  }

  private static byte[] bytes(String part) {
    if (CUT.matcher(part).find()) {
      throw new IllegalArgumentException("column name '" + part + "' ends within \\xNN");
    }
    return BinaryText.bytes(part);
  }

  /** The family's bytes. */
  public byte[] family() {
    return family;
  }

  /** The qualifier's bytes. */
  public byte[] qualifier() {
    return qualifier;
  }

  /** The qualifier as text, bytes that are not printable as {@code \xNN}. */
  public String qualifierText() {
    return Bytes.toStringBinary(qualifier);
  }

  /** Whether the cell is of this column. */
  public boolean matches(Cell cell) {
    return cell.getQualifierLength() == qualifier.length
        && CellUtil.matchingQualifier(cell, qualifier)
        && CellUtil.matchingFamily(cell, family);
  }

  @Override
  public int compareTo(ColumnName other) {
    int c = Bytes.compareTo(family, other.family);
    return c != 0 ? c : Bytes.compareTo(qualifier, other.qualifier);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ColumnName other
        && Arrays.equals(family, other.family)
        && Arrays.equals(qualifier, other.qualifier);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(family) + Arrays.hashCode(qualifier);
  }

  /** {@code family:qualifier}, which {@link #parse} reads. */
  @Override
  public String toString() {
    return Bytes.toStringBinary(family) + ":" + qualifierText();
  }
}
