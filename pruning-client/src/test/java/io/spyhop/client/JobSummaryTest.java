package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.JobRecord;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobSummaryTest {
  private static JobRecord job(String kind, String outcome, long waited) {
    return new JobRecord(kind, outcome, 1_000, waited, 2 * waited);
  }

  @Test
  void quantilesAreOfWaitsThatHappened() throws CorruptFrameException {
    List<JobRecord> jobs = new ArrayList<>();
    for (int i = 20; i >= 1; i--) {
      jobs.add(job("FLUSH", i == 7 ? "FAILED" : "DONE", i));
    }
    jobs.add(job("FLUSH", "CANCELLED", 1_000_000));
    jobs.add(job("COMPACT", "DONE", 5));
    List<JobSummary> summary = JobSummary.of(JobRecord.decode(JobRecord.encode(jobs)));
    assertThat(summary).extracting(JobSummary::kind).containsExactly("COMPACT", "FLUSH");
    assertThat(summary.get(0).waitMs()).hasSize(10).containsOnly(5L);
    JobSummary flush = summary.get(1);
    assertThat(flush.jobs()).isEqualTo(20);
    assertThat(flush.failed()).isEqualTo(1);
    assertThat(flush.meanWaitMs()).isEqualTo(10.5);
    assertThat(flush.meanRunMs()).isEqualTo(21);
    assertThat(flush.waitMs()).containsExactly(2L, 4L, 6L, 8L, 10L, 12L, 14L, 16L, 18L, 20L);
  }

  @Test
  void nothingIsEmpty() {
    assertThat(JobSummary.of(List.of())).isEmpty();
  }
}
