package io.spyhop.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The output of a shell, without what differs from run to run, beside what it is to print. {@code
 * -Dspyhop.transcripts=write} writes that anew, to be read before it is committed. Stateless.
 */
final class Transcript {
  private record Rule(Pattern what, String shown) {
    Rule(String what, String shown) {
      this(Pattern.compile(what, Pattern.MULTILINE), shown);
    }
  }

  private static final List<Rule> RULES =
      List.of(
          new Rule("^hbase:\\d+:\\d+[>*] ?", "hbase> "),
          new Rule("Took [\\d.]+ seconds", "Took T seconds"),
          new Rule("after [\\d.]+ s\\b", "after T s"),
          new Rule("timestamp=[^,]+,", "timestamp=T,"),
          new Rule("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME"),
          new Rule("\\b[0-9a-f]{32}\\b", "REGION"),
          new Rule("[\\w.-]+,\\d+,\\d{13}", "SERVER"),
          new Rule("in \\d+ ms$", "in T ms"),
          // The time of an analyzed region: the last column but one.
          new Rule("^(REGION  .*)  [\\d.]+(  [^ ]+( [^ ]+)*)?$", "$1  T$2"),
          // Of what the client knows, how it came to know it.
          new Rule(
              "^( (bytes|ms|calls|synchr|decisions|of these early|regions asked).*?) +[\\d,]+$",
              "$1 N"),
          new Rule(" +", " "),
          // Up to when a global index is repaired; its regions may not have said it yet.
          new Rule("^( \\S+ GLOBAL .*) (TIME|-)$", "$1 TIME"),
          new Rule("(Filter:)0x[0-9a-f]+", "$1HASH"),
          new Rule(" $", ""));

  /** An array, which a narrow shell shows a line a value. */
  private static final Pattern ARRAY = Pattern.compile("^=> *\\n(\\[[^\\]]*])", Pattern.MULTILINE);

  private Transcript() {}

  /** Compares what was printed with a file. */
  static void check(String output, Path expected) throws IOException {
    String shown = of(output);
    if ("write".equals(System.getProperty("spyhop.transcripts"))) {
      Files.writeString(expected, shown);
    }
    assertThat(shown).isEqualTo(Files.readString(expected));
  }

  /** Without what differs from run to run. */
  static String of(String output) {
    String shown = output;
    for (Rule rule : RULES) {
      shown = rule.what.matcher(shown).replaceAll(rule.shown);
    }
    shown = ARRAY.matcher(shown).replaceAll(Transcript::inOneLine);
    return shown.lines().collect(Collectors.joining("\n", "", "\n"));
  }

  private static String inOneLine(MatchResult array) {
    return Matcher.quoteReplacement("=> " + array.group(1).replaceAll("\\n *", " "));
  }
}
