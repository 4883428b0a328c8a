package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.mdrq.Difference;
import io.spyhop.bench.mdrq.QueryReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ComparisonTest {
  @Test
  void oneDifferenceIsEnough() {
    StringWriter err = new StringWriter();
    CommandLine line = SpyhopCommand.commandLine().setErr(new PrintWriter(err, true));
    assertThat(Comparison.verdict(List.of(), line.getCommandSpec())).isTrue();
    Difference difference = new Difference("MDRQ-B", "2 rows expected, 1 found");
    assertThat(Comparison.verdict(List.of(difference), line.getCommandSpec())).isFalse();
    assertThat(err.toString().strip())
        .isEqualTo("spyhop: the answers to MDRQ-B differ: 2 rows expected, 1 found");
  }

  @Test
  void aWrongAnswerStandsOut() {
    StringWriter out = new StringWriter();
    QueryReport wrong = new QueryReport("MDRQ-B", 1234, 10.5, 2.1, 5, "totalprice", 12, false);
    Comparison.print(List.of(wrong), new PrintWriter(out));
    assertThat(out.toString().strip().lines().toList().get(1))
        .matches("MDRQ-B +1,234 +totalprice +12 +10\\.5 +2\\.1 +5\\.00 +NO");
  }
}
