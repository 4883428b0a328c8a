package io.spyhop.server.ddl;

import java.io.IOException;

/**
 * Is told of each step of a definition's life, right after it has been done: a master may die
 * there. Thread-safe.
 */
@FunctionalInterface
public interface StepWatch {
  /** A step has been done; names are as {@code "create: table made"}. */
  void done(String step) throws IOException;
}
