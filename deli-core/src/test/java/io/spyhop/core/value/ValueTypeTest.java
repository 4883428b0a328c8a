package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ValueTypeTest {
  @Test
  void namesArePersisted() {
    assertThat(ValueType.values())
        .extracting(ValueType::name)
        .containsExactly(
            "STRING",
            "BYTES",
            "INT",
            "LONG",
            "FLOAT",
            "DOUBLE",
            "DECIMAL",
            "BOOLEAN",
            "TIMESTAMP",
            "DATE",
            "TEXT_LONG",
            "TEXT_DOUBLE",
            "ORDERED_INT8",
            "ORDERED_INT16",
            "ORDERED_INT32",
            "ORDERED_INT64",
            "ORDERED_FLOAT32",
            "ORDERED_FLOAT64",
            "ORDERED_NUMERIC",
            "ORDERED_STRING",
            "ORDERED_BLOB");
  }

  @ParameterizedTest
  @EnumSource(ValueType.class)
  void codecsKnowTheirType(ValueType type) {
    assertThat(type.codec().type()).isSameAs(type);
    assertThat(ValueType.parse(type.name())).isSameAs(type);
  }

  @Test
  void namesAreParsedInAnyCase() {
    assertThat(ValueType.parse("text_Double")).isSameAs(ValueType.TEXT_DOUBLE);
  }

  @Test
  void unknownNamesAreAnsweredWithTheKnown() {
    assertThatThrownBy(() -> ValueType.parse("VARCHAR"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("unknown value type 'VARCHAR': expected one of STRING, BYTES, INT,")
        .hasMessageEndingWith("ORDERED_BLOB");
  }
}
