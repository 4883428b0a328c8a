package io.spyhop.cli.commands;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Lines of help that are wrapped where what they explain begins: below the definition in a line of
 * a term and one, and otherwise below the first word of the line. Stateless.
 */
final class HelpLines {
  /** A term, two spaces or more, and a definition. */
  private static final Pattern DEFINITION = Pattern.compile("( +\\S+(?: \\S+)* {2,})\\S.*");

  private static final Pattern INDENT = Pattern.compile(" *");

  private HelpLines() {}

  /** Has a command and all below it wrap their descriptions and footers so. */
  static void wrap(CommandLine command) {
    command
        .getHelpSectionMap()
        .put(
            UsageMessageSpec.SECTION_KEY_DESCRIPTION,
            help -> text(help.commandSpec().usageMessage(), false));
    command
        .getHelpSectionMap()
        .put(
            UsageMessageSpec.SECTION_KEY_FOOTER,
            help -> text(help.commandSpec().usageMessage(), true));
    command.getSubcommands().values().forEach(HelpLines::wrap);
  }

  private static String text(UsageMessageSpec usage, boolean footer) {
    StringBuilder text = new StringBuilder();
    for (String line : footer ? usage.footer() : usage.description()) {
      add(String.format(line), usage.width(), text);
    }
    return text.toString();
  }

  private static void add(String line, int width, StringBuilder text) {
    String rest = line;
    String indent = " ".repeat(indent(line));
    while (rest.length() > width) {
      int end = rest.lastIndexOf(' ', width);
      if (end <= indent.length()) {
        break; // one long word
      }
      text.append(rest.substring(0, end).stripTrailing()).append(System.lineSeparator());
      rest = indent + rest.substring(end).strip();
    }
    text.append(rest).append(System.lineSeparator());
  }

  private static int indent(String line) {
    Matcher definition = DEFINITION.matcher(line);
    Matcher spaces = INDENT.matcher(line);
    return definition.matches() ? definition.end(1) : spaces.lookingAt() ? spaces.end() : 0;
  }
}
