package io.spyhop.cli.commands;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.List;
import org.jline.reader.Parser;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.reader.impl.history.DefaultHistory;
import sqlline.SqlLine;
import sqlline.SqlLineParser;

/**
 * An SQLLine for statements that {@link SqlText} has separated: it runs each of them as it is, and
 * all of them, whichever fail. By itself it would cut them at semicolons, take a backslash before a
 * quote for an escape and forget what has no end by its rules, and know of the last failure only.
 */
final class SqlBatch extends SqlLine {
  private boolean failed;

  /** Whether something was reported as an error. */
  boolean hasFailed() {
    return failed;
  }

  @Override
  public boolean error(String message) {
    failed = true;
    return super.error(message);
  }

  /** One line, as at the prompt: before that SQLLine would print traces, too. */
  @Override
  public void handleException(Throwable e) {
    failed = true;
    Throwable reason = e instanceof SQLException || e.getCause() == null ? e : e.getCause();
    if (reason instanceof SQLException) {
      error("Error: " + reason.getMessage());
    } else {
      super.handleException(e);
    }
  }

  @Override
  public Status begin(String[] arguments, InputStream input, boolean saveHistory)
      throws IOException {
    ((LineReaderImpl) getConsoleReader(input, new DefaultHistory())).setParser(new Whole(this));
    return super.begin(arguments, input, saveHistory);
  }

  /**
   * A parser by the rules of SQL, which SQLLine asks at each semicolon whether a statement ends.
   */
  private static final class Whole extends SqlLineParser {
    Whole(SqlLine line) {
      super(line);
    }

    @Override
    public SqlLineArgumentList parseState(String text, int cursor, Parser.ParseContext context) {
      SqlParserState state = new SqlText(text).isOpen() ? SqlParserState.QUOTED : SqlParserState.OK;
      return new SqlLineArgumentList(
          state, () -> "", text, List.of(), -1, -1, cursor, null, -1, -1);
    }
  }
}
