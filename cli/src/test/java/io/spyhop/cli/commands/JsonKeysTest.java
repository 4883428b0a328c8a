package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spyhop.cli.output.Samples;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys are read by other programs: they do not change. */
class JsonKeysTest {
  @ParameterizedTest
  @ValueSource(strings = {"demo", "costs", "mdrq", "deli", "pruning", "dynahash", "remix", "order"})
  void helpNamesEachKey(String benchmark) throws IOException {
    ObjectNode results = (ObjectNode) Samples.json(benchmark);
    results.remove(List.of("all", "settings")); // what was asked for, and all that was measured
    if (benchmark.equals("remix")) {
      results.remove("top10"); // that of the help of order
    }
    String[] command =
        (benchmark.equals("demo") ? "demo --help" : "bench " + benchmark + " --help").split(" ");
    String help = Cli.run(command).out();
    String[] words = help.substring(help.indexOf("JSON:")).split("[^a-z0-9_]+");
    assertThat(Samples.keys(results))
        .extracting(path -> path.substring(path.lastIndexOf('/') + 1))
        .filteredOn(key -> !List.of("item", "store").contains(key))
        .isSubsetOf(words);
  }
}
