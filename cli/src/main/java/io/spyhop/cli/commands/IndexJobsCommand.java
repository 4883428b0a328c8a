package io.spyhop.cli.commands;

import io.spyhop.cli.output.JobTable;
import io.spyhop.client.JobSummary;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code spyhop index jobs}. */
@Command(
    name = "jobs",
    description = {
      "Shows the index jobs that ended last on all region servers (the last 10,000 of each).",
      ""
    },
    footerHeading = "%nColumns, times in seconds:%n",
    footer = {
      "  job        FLUSH, COMMIT, COMPACT, COMPLETE_COMPACT, ARCHIVE, REMOTE or STATISTICS",
      "  jobs       how many ended; cancelled ones do not count",
      "  mean wait  mean time between being queued and being started",
      "  10%% ...    so many of the jobs waited that long or less",
      "  mean run   mean time between being started and being ended"
    })
final class IndexJobsCommand implements Callable<Integer> {
  @Mixin private ConnectionOptions connection;
  @Mixin private WidthOptions width;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try (Connection open = connection.connect();
        Spyhop spyhop = Spyhop.connect(open)) {
      JobTable.lines(JobSummary.of(spyhop.admin().jobs()), width.width())
          .forEach(spec.commandLine().getOut()::println);
    }
    return ExitCode.OK;
  }
}
