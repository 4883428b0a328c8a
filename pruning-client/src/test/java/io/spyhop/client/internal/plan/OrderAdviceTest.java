package io.spyhop.client.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.predicate.UnknownColumnException;
import io.spyhop.core.schema.IndexSchema;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts that people write where a column to order by is asked for. */
class OrderAdviceTest {
  private static final TableSchema TABLE =
      new TableSchema(
          TableName.valueOf("fish"),
          IndexSchema.of(List.of()),
          List.of("d"),
          Set.of(),
          Optional.empty());

  @ParameterizedTest
  @CsvSource({
    "'',names no column",
    "':',names no column",
    "'d:',names no column",
    "weight DESC,the direction does not stand with the column",
    "'weight,name',one column only",
    "CAST(weight,it ends too early"
  })
  void whatIsNoColumn(String text, String said) {
    assertThatThrownBy(() -> TABLE.bindValued(null, text))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageStartingWith("ORDER BY \"" + text + "\": ")
        .hasMessageContaining(said);
  }

  @Test
  void anUnknownColumnIsOne() {
    assertThatThrownBy(() -> TABLE.bindValued(null, "weight"))
        .isInstanceOf(UnknownColumnException.class);
    assertThat(TABLE.bindValued(null, "CAST(\"d:a DESC\" AS LONG)").column().name().toString())
        .isEqualTo("d:a DESC");
  }
}
