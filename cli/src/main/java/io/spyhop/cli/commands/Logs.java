package io.spyhop.cli.commands;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;

/**
 * Keeps what libraries log, or print to standard error, away from the console, where the commands
 * speak.
 */
final class Logs {
  /** Read by log4j.properties when the first logger is made. */
  private static final String LOG_TO = "spyhop.log.to";

  private Logs() {}

  /**
   * Called before anything else.
   *
   * @param debug whether the log goes to standard error
   */
  static void begin(boolean debug) {
    if (debug) {
      System.setProperty(LOG_TO, "console");
      return;
    }
    // HBase's client prints stack traces to it; what the commands say goes past it.
    System.setErr(
        new PrintStream(OutputStream.nullOutputStream(), false, Charset.defaultCharset()));
    // Some libraries log by the JDK's logging, which prints if nobody says otherwise.
    LogManager.getLogManager().reset();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) ->
            LoggerFactory.getLogger(Logs.class).error("Thread {} ended", thread.getName(), e));
  }
}
