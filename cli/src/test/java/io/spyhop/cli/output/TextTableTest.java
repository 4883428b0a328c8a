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
  void detailsAreLeftOutWhereThereIsNoRoom() {
    TextTable table = new TextTable("name", "~server", "~>n", "why");
    table.add("a", "somewhere", 1, "it is so");
    assertThat(table.lines(120))
        .isEqualTo(table.lines())
        .containsExactly("name  server     n  why", "a     somewhere  1  it is so");
    assertThat(table.lines(28)).isEqualTo(table.lines());
    assertThat(table.lines(27)).containsExactly("name  n  why", "a     1  it is so");
    assertThat(table.lines(5)).containsExactly("name  why", "a     it is so");
  }

  @Test
  void aLineHasAsManyCellsAsTheHeader() {
    assertThatThrownBy(() -> new TextTable("a", "b").add(1)).hasMessage("1 cells for 2 columns");
  }
}
