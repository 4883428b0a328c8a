package io.spyhop.cli;

import io.spyhop.cli.commands.SpyhopCommand;

/** The start of the program. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(SpyhopCommand.run(args));
  }
}
