package io.spyhop.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void alignsColumns() {
    TextTable table = new TextTable("name", ">n", "x");
    table.add("a", 1, "");
    table.add("bcdef", 1000, "y");
    assertThat(table.lines()).containsExactly("name      n  x", "a         1", "bcdef  1000  y");
  }

  @Test
  void aLineHasAsManyCellsAsTheHeader() {
    assertThatThrownBy(() -> new TextTable("a", "b").add(1)).hasMessage("1 cells for 2 columns");
  }
}
