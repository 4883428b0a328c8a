package io.spyhop.jdbc;

import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexLiteral;

/** Literals of SQL, as {@link io.spyhop.core.predicate.Predicates} takes them. Stateless. */
final class Literals {
  private Literals() {}

  /** Empty if the literal is NULL, or of another kind than values of that type. */
  static Optional<Object> of(RexLiteral literal, ValueType type) {
    if (literal.isNull()) {
      return Optional.empty();
    }
    return switch (type) {
      case STRING, ORDERED_STRING -> text(literal);
      case BYTES, ORDERED_BLOB -> bytes(literal).map(b -> b);
      case BOOLEAN -> Optional.ofNullable(literal.getValueAs(Boolean.class));
      case DATE -> date(literal);
      case TIMESTAMP -> timestamp(literal);
      default -> number(literal);
    };
  }

  private static Optional<Object> text(RexLiteral literal) {
    return switch (literal.getType().getSqlTypeName()) {
      case CHAR, VARCHAR -> Optional.ofNullable(literal.getValueAs(String.class));
      default -> Optional.empty();
    };
  }

  /** The bytes of a literal of BINARY. */
  static Optional<byte[]> bytes(RexLiteral literal) {
    return switch (literal.getType().getSqlTypeName()) {
      case BINARY, VARBINARY ->
          Optional.ofNullable(literal.getValueAs(ByteString.class)).map(ByteString::getBytes);
      default -> Optional.empty();
    };
  }

  private static Optional<Object> date(RexLiteral literal) {
    return switch (literal.getType().getSqlTypeName()) {
      case DATE ->
          Optional.ofNullable(literal.getValueAs(Integer.class)).map(d -> LocalDate.ofEpochDay(d));
      default -> Optional.empty();
    };
  }

  private static Optional<Object> timestamp(RexLiteral literal) {
    return switch (literal.getType().getSqlTypeName()) {
      case TIMESTAMP ->
          Optional.ofNullable(literal.getValueAs(Long.class)).map(Instant::ofEpochMilli);
      default -> Optional.empty();
    };
  }

  private static Optional<Object> number(RexLiteral literal) {
    Object value = literal.getValue();
    if (value instanceof BigDecimal) {
      return Optional.of(value);
    }
    return value instanceof Double d && Double.isFinite(d)
        ? Optional.of(new BigDecimal(d))
        : Optional.empty();
  }
}
