package io.spyhop.server.model;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;

/** A column of the model's tables: how its values are drawn and stored. */
enum Column {
  A("f:a", ValueType.LONG) {
    @Override
    Object literal(Random r) {
      return (long) r.nextInt(12) - 3;
    }

    @Override
    byte[] store(Object literal) {
      return Bytes.toBytes((Long) literal);
    }
  },
  B("f:b", ValueType.STRING) {
    @Override
    Object literal(Random r) {
      String[] parts = {"", "a", "b", "ab", "\u0000", "z", "\u00fc", "x".repeat(600)};
      return parts[r.nextInt(parts.length)] + parts[r.nextInt(parts.length)];
    }

    @Override
    byte[] store(Object literal) {
      return Bytes.toBytes((String) literal);
    }
  },
  C("f:c", ValueType.DOUBLE) {
    @Override
    Object literal(Random r) {
      double[] odd = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, -1e300, 1e-300};
      return r.nextInt(5) == 0 ? odd[r.nextInt(odd.length)] : r.nextInt(20) / 2.0 - 3;
    }

    @Override
    byte[] store(Object literal) {
      return Bytes.toBytes((Double) literal);
    }
  },
  D("g:d", ValueType.TEXT_LONG) {
    @Override
    Object literal(Random r) {
      return (long) r.nextInt(9);
    }

    @Override
    byte[] store(Object literal) {
      return Bytes.toBytes(literal.toString());
    }
  },
  E("g:e", ValueType.DECIMAL) {
    @Override
    Object literal(Random r) {
      String[] odd = {"1e5000", "-1e5000", "0", "0.00", "1234567890123456789012345678901234567.5"};
      return new java.math.BigDecimal(
          r.nextInt(3) == 0 ? odd[r.nextInt(odd.length)] : (r.nextInt(40) - 20) + ".5");
    }

    @Override
    byte[] store(Object literal) {
      return Bytes.toBytes((java.math.BigDecimal) literal);
    }
  };

  private final String text;
  private final ValueType type;

  Column(String text, ValueType type) {
    this.text = text;
    this.type = type;
  }

  /** A value to ask for or to write. */
  abstract Object literal(Random r);

  abstract byte[] store(Object literal);

  /** What is written: mostly a value, sometimes bytes that are none. */
  byte[] stored(Random r) {
    if (r.nextInt(15) == 0 && type != ValueType.STRING) {
      return new byte[] {7, 7, 7};
    }
    if (r.nextInt(15) == 0 && type == ValueType.STRING) {
      return new byte[] {(byte) 0xff, 1};
    }
    return store(literal(r));
  }

  /** The column of an index. */
  static Column of(IndexDefinition index) {
    return Arrays.stream(values())
        .filter(c -> index.column().equals(ColumnName.parse(c.text)))
        .findFirst()
        .orElseThrow();
  }

  String text() {
    return text;
  }

  ValueType type() {
    return type;
  }

  byte[] family() {
    return Bytes.toBytes(text.substring(0, 1));
  }

  byte[] qualifier() {
    return Bytes.toBytes(text.substring(2));
  }
}
