package io.spyhop.cli.commands;

import io.spyhop.core.bucket.Rebalance;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option for the pause of a rebalance between two buckets. */
final class PauseOption {
  @Option(
      names = "--pause",
      paramLabel = "SECONDS",
      description =
          "At least so long between two buckets, so that few queries meet one that is being moved"
              + " (default: ${DEFAULT-VALUE}; 0 to be done soon).")
  private int seconds = (int) Rebalance.USUAL_PAUSE.toSeconds();

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** The pause that was asked for, if it is one that a rebalance can have. */
  Duration get() {
    long most = Rebalance.MOST_PAUSE.toSeconds();
    if (seconds < 0 || seconds > most) {
      throw new ParameterException(
          spec.commandLine(), "--pause " + seconds + " is not from 0 to " + most);
    }
    return Duration.ofSeconds(seconds);
  }
}
