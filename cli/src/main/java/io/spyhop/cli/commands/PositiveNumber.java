package io.spyhop.cli.commands;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks numbers of options that must be 1 or more. Stateless. */
final class PositiveNumber {
  private PositiveNumber() {}

  /** Refuses a number that is less than 1. */
  static void require(CommandSpec spec, String option, long value) {
    if (value < 1) {
      throw new ParameterException(spec.commandLine(), option + " " + value + " is less than 1");
    }
  }
}
