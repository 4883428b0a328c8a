package io.spyhop.cli.commands;

import io.spyhop.cli.output.JobTable;
import io.spyhop.client.JobSummary;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code spyhop index jobs}. */
@Command(
    name = "jobs",
    description = {
      "Shows the index jobs that ended last on all region servers (the last 10,000 of each).",
      ""
    },
    footerHeading = "%nColumns, times in seconds:%n",
    footer = {
      "  job        FLUSH, COMMIT, COMPACT, COMPLETE_COMPACT, PAIRS, ARCHIVE, REMOTE,",
      "             STATISTICS, VIEW",
      "  jobs       how many ended; cancelled ones do not count",
      "  mean wait  mean time between being queued and being started",
      "  10%% ...    so many of the jobs waited that long or less",
      "  mean run   mean time between being started and being ended"
    })
final class IndexJobsCommand extends ClientCommand {
  @Mixin private WidthOptions width;

  @Override
  int run(Spyhop spyhop) throws IOException {
    JobTable.lines(JobSummary.of(spyhop.admin().jobs()), width.width()).forEach(out()::println);
    return ExitCode.OK;
  }
}
