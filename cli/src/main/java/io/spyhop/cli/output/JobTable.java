package io.spyhop.cli.output;

import io.spyhop.client.JobSummary;
import java.util.List;
import java.util.Locale;

/** Shows how long index jobs waited: the distribution of LCIndex's Figure 11 as text. Stateless. */
public final class JobTable {
  private JobTable() {}

  /** One line a kind, as wide as {@link TextTable#lines(int)} says; wait times in seconds. */
  public static List<String> lines(List<JobSummary> jobs, int width) {
    TextTable table =
        new TextTable(
            "job",
            ">jobs",
            ">failed",
            ">mean wait",
            ">10%",
            "~>20%",
            "~>30%",
            "~>40%",
            ">50%",
            "~>60%",
            "~>70%",
            "~>80%",
            ">90%",
            ">100%",
            ">mean run");
    for (JobSummary j : jobs) {
      Object[] cells = new Object[15];
      cells[0] = j.kind();
      cells[1] = j.jobs();
      cells[2] = j.failed();
      cells[3] = seconds(j.meanWaitMs());
      for (int i = 0; i < j.waitMs().size(); i++) {
        cells[4 + i] = seconds(j.waitMs().get(i));
      }
      cells[14] = seconds(j.meanRunMs());
      table.add(cells);
    }
    return table.lines(width);
  }

  private static String seconds(double millis) {
    return String.format(Locale.ROOT, "%.3f", millis / 1000);
  }
}
