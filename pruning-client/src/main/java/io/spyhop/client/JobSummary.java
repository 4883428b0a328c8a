package io.spyhop.client;

import io.spyhop.core.protocol.JobRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The index jobs of one kind (LCIndex, Figure 11: how long jobs waited). Cancelled jobs do not
 * count, as they stood for nothing.
 *
 * @param kind FLUSH, COMMIT, COMPACT, COMPLETE_COMPACT, ARCHIVE or REMOTE
 * @param jobs how many ended
 * @param failed how many of them failed
 * @param meanWaitMs the mean time between being queued and being started
 * @param waitMs wait times in ascending order, milliseconds: at 10%, 20% and so on to 100%
 * @param meanRunMs the mean time between being started and being ended
 */
public record JobSummary(
    String kind, int jobs, int failed, double meanWaitMs, List<Long> waitMs, double meanRunMs) {
  private static final int STEPS = 10;

  /** Copies the list. */
  public JobSummary {
    waitMs = List.copyOf(waitMs);
  }

  /** One summary a kind, in alphabetical order of kinds. */
  public static List<JobSummary> of(Collection<JobRecord> jobs) {
    Map<String, List<JobRecord>> kinds = new TreeMap<>();
    for (JobRecord j : jobs) {
      if (!j.outcome().equals("CANCELLED")) {
        kinds.computeIfAbsent(j.kind(), k -> new ArrayList<>()).add(j);
      }
    }
    return kinds.entrySet().stream().map(e -> of(e.getKey(), e.getValue())).toList();
  }

  private static JobSummary of(String kind, List<JobRecord> jobs) {
    long[] waits = jobs.stream().mapToLong(JobRecord::waited).sorted().toArray();
    List<Long> quantiles = new ArrayList<>();
    for (int i = 1; i <= STEPS; i++) {
      quantiles.add(waits[(waits.length * i + STEPS - 1) / STEPS - 1]);
    }
    return new JobSummary(
        kind,
        waits.length,
        (int) jobs.stream().filter(j -> j.outcome().equals("FAILED")).count(),
        jobs.stream().mapToLong(JobRecord::waited).average().orElse(0),
        quantiles,
        jobs.stream().mapToLong(JobRecord::ran).average().orElse(0));
  }
}
