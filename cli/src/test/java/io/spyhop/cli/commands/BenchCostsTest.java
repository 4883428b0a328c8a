package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cli.output.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark as a user runs it, with few rows: that it measures, not what. */
class BenchCostsTest {
  @TempDir private Path dir;

  @Test
  void measuresEachCost() throws IOException {
    Path file = dir.resolve("costs.json");
    String[] args = {"bench", "costs", "--rows", "5000", "--repetitions", "1", "--json"};
    Run run = Cli.run(concat(args, file.toString()));
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(Samples.keys(json)).isEqualTo(Samples.keys(Samples.json("costs")));
    for (String cost : new String[] {"cell", "record", "probe", "reread", "setup"}) {
      assertThat(json.get(cost).isNumber()).as(cost).isTrue();
      assertThat(run.out()).contains("spyhop.cost." + cost);
    }
  }

  private static String[] concat(String[] args, String last) {
    String[] all = Arrays.copyOf(args, args.length + 1);
    all[args.length] = last;
    return all;
  }
}
