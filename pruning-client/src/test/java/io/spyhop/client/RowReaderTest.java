package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowReaderTest {
  private static final byte[] D = Bytes.toBytes("d");

  /** A column is named like its type. */
  private final RowReader reader =
      new RowReader(
          name -> new BoundColumn(ColumnName.parse("d:" + name), ValueType.valueOf(name)));

  private static Result row(ValueType type, byte[] value) {
    return Result.create(List.<Cell>of(new KeyValue(D, D, Bytes.toBytes(type.name()), 1, value)));
  }

  @Test
  void valuesOfEachKind() {
    assertThat(reader.getString(row(ValueType.STRING, Bytes.toBytes("cod")), "STRING"))
        .isEqualTo("cod");
    assertThat(reader.getBytes(row(ValueType.BYTES, new byte[] {7}), "BYTES")).containsExactly(7);
    assertThat(reader.getLong(row(ValueType.INT, Bytes.toBytes(7)), "INT")).isEqualTo(7);
    assertThat(reader.getLong(row(ValueType.LONG, Bytes.toBytes(7L)), "LONG")).isEqualTo(7);
    assertThat(reader.getLong(row(ValueType.TEXT_LONG, Bytes.toBytes("007")), "TEXT_LONG"))
        .isEqualTo(7);
    assertThat(reader.getDouble(row(ValueType.FLOAT, Bytes.toBytes(1.5f)), "FLOAT")).isEqualTo(1.5);
    assertThat(reader.getDouble(row(ValueType.DOUBLE, Bytes.toBytes(1.5)), "DOUBLE"))
        .isEqualTo(1.5);
    assertThat(
            reader.getDecimal(
                row(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("1.50"))), "DECIMAL"))
        .isEqualTo("1.50");
    assertThat(reader.getBoolean(row(ValueType.BOOLEAN, Bytes.toBytes(true)), "BOOLEAN")).isTrue();
    assertThat(reader.getTimestamp(row(ValueType.TIMESTAMP, Bytes.toBytes(5L)), "TIMESTAMP"))
        .isEqualTo(Instant.ofEpochMilli(5));
    assertThat(reader.getDate(row(ValueType.DATE, Bytes.toBytes("2020-02-29")), "DATE"))
        .isEqualTo(LocalDate.of(2020, 2, 29));
    assertThat(reader.get(row(ValueType.INT, Bytes.toBytes(7)), "INT")).isEqualTo(7);
  }

  @Test
  void whatIsAbsentOrDoesNotDecodeIsNull() {
    Result row = row(ValueType.INT, new byte[] {1, 2, 3});
    assertThat(reader.getLong(row, "INT")).isNull();
    assertThat(reader.getLong(row, "LONG")).isNull();
    assertThat(reader.getDouble(row, "DOUBLE")).isNull();
  }

  @Test
  void anotherKindIsRefused() {
    Result row = row(ValueType.INT, Bytes.toBytes(7));
    assertThatThrownBy(() -> reader.getString(row, "INT"))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessage("column d:INT is of type INT, and not of text");
    assertThatThrownBy(() -> reader.getDouble(row, "INT"))
        .isInstanceOf(InvalidQueryException.class);
    assertThatThrownBy(() -> reader.getTimestamp(row(ValueType.LONG, Bytes.toBytes(5L)), "LONG"))
        .isInstanceOf(InvalidQueryException.class);
    assertThatThrownBy(
            () -> reader.getLong(row(ValueType.DECIMAL, Bytes.toBytes(BigDecimal.ONE)), "DECIMAL"))
        .isInstanceOf(InvalidQueryException.class);
  }
}
