package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SqlTextTest {
  private static List<String> statements(String text) {
    SqlText split = new SqlText(text);
    assertThat(split.unfinished()).as(text).isEmpty();
    return split.statements();
  }

  @Test
  void statementsEndAtSemicolons() {
    assertThat(statements("a; b;\n\n c")).containsExactly("a", "b", "c");
    assertThat(statements(";;a;; ;")).containsExactly("a");
    assertThat(statements(" \n")).isEmpty();
    assertThat(statements("-- nothing; here\n/* nor; here */")).isEmpty();
  }

  @Test
  void butNotInQuotes() {
    assertThat(statements("'a;b'; \"c;d\"")).containsExactly("'a;b'", "\"c;d\"");
    assertThat(statements("'it''s; one'; 2")).containsExactly("'it''s; one'", "2");
    assertThat(statements("'a\\'; 'b\\'; ';'")).containsExactly("'a\\'", "'b\\'", "';'");
    assertThat(statements("'\"'; \"'\"; '--'; '/*'; \"!\""))
        .containsExactly("'\"'", "\"'\"", "'--'", "'/*'", "\"!\"");
  }

  @Test
  void norInComments() {
    assertThat(statements("a -- it's; no\n+b; c")).containsExactly("a            \n+b", "c");
    assertThat(statements("a /* \"; */ b; c/**/")).containsExactly("a          b", "c");
    assertThat(statements("/*+ h;i */ a; b - -c")).containsExactly("/*+ h;i */ a", "b - -c");
    assertThat(statements("a --;")).containsExactly("a");
  }

  @Test
  void commandsEndWithTheirLine() {
    assertThat(statements("!set a it's;b\nc;!d e\r\nf"))
        .containsExactly("!set a it's;b", "c", "!d e", "f");
    assertThat(statements("a\n!= b")).containsExactly("a\n!= b");
  }

  @Test
  void unfinishedOnesAreTold() {
    assertThat(new SqlText("a;\nb = 'c; d").unfinished())
        .hasValue(
            "statement 2 is unfinished: nothing is run, as the quote ' in line 2 does not end: 'c; d");
    assertThat(new SqlText("a \"" + "b".repeat(50)).unfinished().orElseThrow())
        .contains("statement 1", "quote \"", "line 1")
        .endsWith("b...");
    assertThat(new SqlText("a;\n\n/* b\n;").unfinished().orElseThrow())
        .contains("statement 2", "comment /*", "line 3", "/* b ;");
    assertThat(new SqlText("/*/").isOpen()).isTrue();
  }

  /**
   * Nothing is lost and nothing is cut: of any text, all that is neither comment nor blank stays.
   */
  @Test
  void nothingIsLost() {
    Random r = new Random(7);
    List<String> parts =
        List.of("a", " ", "\n", "'x;--/*\"y'", "\"p;'q\"", ";", "''", "\\", "#", "(");
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = r.nextInt(12); j > 0; j--) {
        text.append(parts.get(r.nextInt(parts.size())));
      }
      String rejoined = String.join("", statements(text.toString()));
      String wanted = text.toString().replaceAll(";(?=(?:[^';\"]|'[^']*'|\"[^\"]*\"|;)*$)", "");
      assertThat(rejoined.replaceAll("\\s", ""))
          .as(text.toString())
          .isEqualTo(wanted.replaceAll("\\s", ""));
    }
  }
}
