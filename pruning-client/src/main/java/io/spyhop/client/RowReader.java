package io.spyhop.client;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;

/**
 * Reads values of rows by the types that the table's indexes declare ({@link
 * IndexedTable#reader()}).
 *
 * <pre>{@code
 * RowReader reader = table.reader();
 * for (Result row : rows) {
 *   Double price = reader.getDouble(row, "totalprice");
 * }
 * }</pre>
 *
 * <p>Columns are named as in conditions: the qualifier where it is unambiguous, {@code
 * family:qualifier}, and {@code CAST(d:custkey AS LONG)} where no type is declared. Each getter
 * returns null where the column is absent from the row, or its newest cell there does not decode;
 * and throws {@link io.spyhop.core.predicate.UnknownColumnException} if there is no such column, or
 * {@link InvalidQueryException} if there is a value and its type is not one of the getter's. Types
 * are those of when the reader was made. Thread-safe.
 */
public final class RowReader {
  private final Function<String, BoundColumn> resolver;
  private final Map<String, BoundColumn> resolved = new ConcurrentHashMap<>();

  RowReader(Function<String, BoundColumn> resolver) {
    this.resolver = resolver;
  }

  /** A value of whatever type, as {@link io.spyhop.core.value.ValueCodec#decode} has it. */
  public Object get(Result row, String column) {
    return get(row, column, Object.class, "any");
  }

  /** A value of STRING or ORDERED_STRING. */
  public String getString(Result row, String column) {
    return get(row, column, String.class, "text");
  }

  /** A value of BYTES or ORDERED_BLOB. */
  public byte[] getBytes(Result row, String column) {
    return get(row, column, byte[].class, "bytes");
  }

  /**
   * A value of INT, LONG, TEXT_LONG or a whole number of {@code OrderedBytes}; of TIMESTAMP
   * milliseconds since 1970.
   */
  public Long getLong(Result row, String column) {
    Number number = get(row, column, Number.class, "whole numbers");
    if (number == null || number instanceof Long) {
      return (Long) number;
    }
    if (number instanceof Integer) {
      return number.longValue();
    }
    throw refused(column, "whole numbers");
  }

  /** A value of FLOAT, DOUBLE, TEXT_DOUBLE or a floating point number of {@code OrderedBytes}. */
  public Double getDouble(Result row, String column) {
    Number number = get(row, column, Number.class, "floating point numbers");
    if (number == null || number instanceof Double) {
      return (Double) number;
    }
    if (number instanceof Float) {
      return number.doubleValue();
    }
    throw refused(column, "floating point numbers");
  }

  /** A value of DECIMAL or ORDERED_NUMERIC. */
  public BigDecimal getDecimal(Result row, String column) {
    return get(row, column, BigDecimal.class, "decimals");
  }

  /** A value of BOOLEAN. */
  public Boolean getBoolean(Result row, String column) {
    return get(row, column, Boolean.class, "truth values");
  }

  /** A value of TIMESTAMP. */
  public Instant getTimestamp(Result row, String column) {
    Long millis = get(row, column, Long.class, "timestamps");
    if (resolved.get(column).type() != ValueType.TIMESTAMP) {
      throw refused(column, "timestamps");
    }
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  /** A value of DATE. */
  public LocalDate getDate(Result row, String column) {
    return get(row, column, LocalDate.class, "dates");
  }

  private <T> T get(Result row, String column, Class<T> kind, String kinds) {
    Objects.requireNonNull(row, "the row is null");
    Objects.requireNonNull(column, "the column is null");
    BoundColumn bound = resolved.computeIfAbsent(column, resolver);
    Cell cell = row.getColumnLatestCell(bound.name().family(), bound.name().qualifier());
    if (cell == null) {
      return null;
    }
    Object value =
        bound
            .type()
            .codec()
            .decode(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    if (value != null && !kind.isInstance(value)) {
      throw refused(column, kinds);
    }
    return kind.cast(value);
  }

  private InvalidQueryException refused(String column, String kinds) {
    BoundColumn bound = resolved.get(column);
    return new InvalidQueryException(
        "column " + bound.name() + " is of type " + bound.type() + ", and not of " + kinds);
  }
}
