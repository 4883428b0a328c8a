package io.spyhop.cli.commands;

import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;

/** Keeps what libraries log away from the console, where the commands speak. */
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
    // Some libraries log by the JDK's logging, which prints if nobody says otherwise.
    LogManager.getLogManager().reset();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) ->
            LoggerFactory.getLogger(Logs.class).error("Thread {} ended", thread.getName(), e));
  }
}
