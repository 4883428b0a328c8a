package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.JobRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTimeTest {
  /** Starts a millisecond after it is queued. */
  private static JobRecord job(long queuedAt, long endedAt) {
    return new JobRecord("FLUSH", "DONE", endedAt, 1, endedAt - queuedAt - 1);
  }

  private static void shouldBe(long millis, JobRecord... jobs) {
    assertThat(JobTime.within(100, 200, List.of(jobs)).toMillis()).isEqualTo(millis);
  }

  @Test
  void jobsSideBySideCountOnce() {
    shouldBe(40, job(120, 150), job(110, 130), job(115, 120), job(140, 145));
    shouldBe(40, job(110, 130), job(150, 170));
  }

  @Test
  void otherTimesDoNotCount() {
    shouldBe(0);
    shouldBe(0, job(10, 90), job(210, 290));
    shouldBe(20, job(90, 110), job(190, 210));
    shouldBe(100, job(90, 210));
  }
}
