package io.spyhop.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.QueryCancelledException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  @Test
  void aTimeoutIsOne() {
    SQLException told =
        Failures.ofReading(new UncheckedIOException(new QueryCancelledException("after 3 s")));
    assertThat((Throwable) told).isInstanceOf(SQLTimeoutException.class).hasMessage("after 3 s");
  }

  /** As Calcite puts what ends an execution into another exception. */
  @Test
  void aTimeoutBehindAnotherFailureIsOne() {
    SQLException late =
        new SQLException("Error while executing SQL", new SQLTimeoutException("within 1 s"));
    assertThat(Failures.isLate(late)).isTrue();
    assertThat((Throwable) Failures.ofReading(late))
        .isInstanceOf(SQLTimeoutException.class)
        .hasMessage("within 1 s");
  }

  @Test
  void whatHBaseSays() {
    SQLException told =
        Failures.ofReading(new UncheckedIOException("table 't' failed", new IOException("gone")));
    assertThat((Throwable) told)
        .isNotInstanceOf(SQLTimeoutException.class)
        .hasMessage("table 't' failed");
  }

  /** Long chains of OR are a tree that is as deep. */
  @Test
  void tooDeep() {
    assertThat(Failures.ofPlanning(new StackOverflowError())).hasMessageContaining("IN (...)");
  }

  @Test
  void whatToDoAboutTexts() {
    assertThat((Throwable) Failures.ofReading(new NumberFormatException("For input string: \"x\"")))
        .hasMessage(
            "the statement failed: a text, perhaps a row's, is no number (For input string: \"x\");"
                + " compare columns with values of their types, and leave rows with such texts out");
    assertThat(
            (Throwable) Failures.ofReading(new IllegalStateException("java.io.IOException: gone")))
        .hasMessage("the statement failed: gone");
  }

  @Test
  void theFirstLine() {
    assertThat(Failures.ofPlanning(new IllegalStateException("this tree:\n node\n node")))
        .hasMessage("Calcite cannot run this statement; write it in another way (this tree:)");
    assertThat(Failures.ofPlanning(new ClassCastException("Long, Integer")))
        .hasMessageEndingWith("(ClassCastException: Long, Integer)");
  }
}
