package io.spyhop.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Comments of classes say in their first sentence what the class is or does; comments, messages and
 * documents name the actor (the caller, the user, a client, another thread).
 */
class CommentsTest {

  private static final Pattern QUESTION =
      Pattern.compile("(?:What|How|Which|Who|Whose|Whom|Where|When|Why|Whether|Says)\\b");

  /** What may stand between a comment and the type that it is of. */
  private static final Pattern TYPE =
      Pattern.compile(
          "\\s*(?:@\\w+(?:\\((?:[^()\"]|\"[^\"]*\")*\\))?\\s+)*(?:[a-z-]+ )*"
              + "(?:class|record|interface|enum|@interface) \\w");

  private static final Pattern PACKAGE = Pattern.compile("\\s*package \\w");

  private static final Pattern PERSON =
      Pattern.compile(
          "\\b(?:he|his|him|himself|she|somebody|someone|whoever|whom|whomever)\\b",
          Pattern.CASE_INSENSITIVE);

  @Test
  void noneOfAClassBeginsWithAQuestion() {
    assertThat(found(f -> isSource(f, "/src/"), CommentsTest::questions))
        .as("comments that ask, not tell")
        .isEmpty();
  }

  @Test
  void sourcesNameTheActor() {
    Predicate<Path> source =
        f -> isSource(f, "/src/") && !f.endsWith(CommentsTest.class.getSimpleName() + ".java");
    assertThat(found(source, CommentsTest::persons)).as("actors without a name").isEmpty();
  }

  @Test
  void documentsNameTheActor() {
    Predicate<Path> document =
        f ->
            f.toString().endsWith(".md")
                && (f.getNameCount() == 2 || f.getParent().endsWith("docs"));
    assertThat(found(document, CommentsTest::persons)).as("actors without a name").isEmpty();
  }

  @Test
  void findsQuestions() {
    assertThat(questions("/** What it is. */\npublic final class A {}")).hasSize(1);
    assertThat(questions("/**\n * How.\n *\n */\n@A(\")\")\n@B record B() {}")).hasSize(1);
    assertThat(questions("/** Of. */\nenum C {\n  /** Who. */\n  interface D {}\n}")).hasSize(1);
    assertThat(questions("/** Which. */\npackage a;")).hasSize(1);
    assertThat(questions("/** Merges. */\nclass C {\n  /** What. */\n  int d;\n}")).isEmpty();
  }

  @Test
  void findsPersons() {
    assertThat(persons("\n/** Whoever asks. */")).containsExactly("2: Whoever");
    assertThat(persons("// as he likes\n\"somebody's\"")).hasSize(2);
    assertThat(persons("/** Themes of this. */")).isEmpty();
  }

  private static boolean isSource(Path file, String below) {
    return file.toString().contains(below) && file.toString().endsWith(".java");
  }

  private static List<String> found(Predicate<Path> which, Function<String, List<String>> faults) {
    return Checkout.files().stream()
        .filter(which)
        .flatMap(f -> faults.apply(read(f)).stream().map(q -> f + ":" + q))
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> questions(String source) {
    List<String> questions = new ArrayList<>();
    int end = 0;
    for (int at = source.indexOf("/**"); at >= 0; at = source.indexOf("/**", end)) {
      end = source.indexOf("*/", at) + 2;
      String text = source.substring(at, end).replaceAll("^/\\*\\*[\\s*]*", "");
      if (QUESTION.matcher(text).lookingAt() && isOfAType(source.substring(end))) {
        questions.add(line(source, at) + ": " + text.lines().findFirst().orElse(""));
      }
    }
    return questions;
  }

  private static boolean isOfAType(String after) {
    return TYPE.matcher(after).lookingAt() || PACKAGE.matcher(after).lookingAt();
  }

  private static List<String> persons(String text) {
    List<String> persons = new ArrayList<>();
    Matcher found = PERSON.matcher(text);
    while (found.find()) {
      persons.add(line(text, found.start()) + ": " + found.group());
    }
    return persons;
  }

  private static long line(String text, int at) {
    return text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
  }
}
