package io.spyhop.bench.mdrq;

import io.spyhop.core.protocol.JobRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** The time that index jobs take, as the servers have noted it. Stateless. */
final class JobTime {
  private JobTime() {}

  /**
   * The part of a time in which at least one job was queued or ran.
   *
   * @param from milliseconds since the epoch, as are the jobs' times
   * @param to when it is over
   */
  static Duration within(long from, long to, List<JobRecord> jobs) {
    long busy = 0;
    long seen = from;
    for (JobRecord job : jobs.stream().sorted(Comparator.comparingLong(JobTime::queued)).toList()) {
      long end = Math.min(to, job.endedAt());
      busy += Math.max(0, end - Math.max(seen, queued(job)));
      seen = Math.max(seen, end);
    }
    return Duration.ofMillis(busy);
  }

  private static long queued(JobRecord job) {
    return job.endedAt() - job.ran() - job.waited();
  }
}
