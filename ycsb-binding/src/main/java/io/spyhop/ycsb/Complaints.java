package io.spyhop.ycsb;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;
import site.ycsb.WorkloadException;

/**
 * The lines on standard error that say why a run is not what was asked for. Of operations the first
 * few are said, all are logged; YCSB counts them by their status. Thread-safe.
 */
final class Complaints {
  private static final Logger LOG = LoggerFactory.getLogger(Complaints.class);
  private static final int MAX_SAID = 10;

  /** What says where something failed begins with the class of what failed. */
  private static final Pattern CLASS_NAMES =
      Pattern.compile("^(([a-z]\\w*\\.)+[A-Z][\\w$]*(Exception|Error): )+");

  private static final AtomicInteger SAID = new AtomicInteger();

  private Complaints() {}

  /** An operation that failed. */
  static void failed(String operation, Throwable reason) {
    LOG.error("{} failed", operation, reason);
    sayFew(operation + " failed: " + line(reason));
  }

  /** An operation whose answer is wrong. */
  static void wrong(String operation, String complaint) {
    LOG.error("{}: {}", operation, complaint);
    sayFew(operation + ": " + complaint);
  }

  private static void sayFew(String line) {
    int said = SAID.incrementAndGet();
    if (said <= MAX_SAID) {
      say(line);
    }
    if (said == MAX_SAID) {
      say("further operations that fail are counted at the end, and logged");
    }
  }

  static void say(String line) {
    System.err.println("spyhop-ycsb: " + line);
  }

  /** What failed, in one line without a stack: what YCSB throws says it, else the last cause. */
  static String line(Throwable reason) {
    Throwable last = reason;
    while (!isOurs(last) && last.getCause() != null && last.getCause() != last) {
      last = last.getCause();
    }
    String message = last.getMessage() == null ? "" : last.getMessage().strip();
    String first = message.lines().findFirst().orElse("");
    String plain = CLASS_NAMES.matcher(first).replaceFirst("");
    return isOurs(last) ? plain : (last.getClass().getSimpleName() + ": " + plain).strip();
  }

  private static boolean isOurs(Throwable e) {
    return e instanceof WorkloadException || e instanceof DBException;
  }
}
