package io.spyhop.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Order, dependencies, bound and end of index jobs. */
class JobSchedulerTest {
  private final AtomicLong clock = new AtomicLong();
  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
  private final List<Job> ended = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch gate = new CountDownLatch(1);
  private final JobScheduler scheduler =
      new JobScheduler(1, 5, Thread::new, clock::get, ended::add);

  @AfterEach
  void close() {
    gate.countDown();
    scheduler.close();
  }

  private Job job(JobKind kind, String name, List<Job> after) {
    return new Job(kind, name, after, () -> ran.add(name));
  }

  /** Occupies the one thread until the gate opens. */
  private Job blocker() {
    Job blocker =
        new Job(
            JobKind.FLUSH,
            "blocker",
            List.of(),
            () -> {
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new CancellationException("interrupted");
              }
            });
    assertThat(scheduler.submit(List.of(blocker))).isTrue();
    Awaitility.await("the blocker to run").until(() -> scheduler.running() == 1);
    return blocker;
  }

  private void awaitEnded(int jobs) {
    Awaitility.await("all jobs to end").until(() -> ended.size() == jobs);
  }

  @Test
  void earliestDueFirst() {
    blocker();
    scheduler.submit(List.of(job(JobKind.COMPACT, "compact", List.of())));
    clock.set(1);
    scheduler.submit(List.of(job(JobKind.FLUSH, "flush", List.of())));
    scheduler.submit(List.of(job(JobKind.ARCHIVE, "archive", List.of())));
    clock.set(10_000);
    scheduler.submit(List.of(job(JobKind.COMMIT, "commit much later", List.of())));
    gate.countDown();
    awaitEnded(5);
    assertThat(ran).containsExactly("archive", "flush", "compact", "commit much later");
    assertThat(ended.get(1).waited()).isEqualTo(9_999);
  }

  @Test
  void jobsRunAfterThoseTheyDependOnHoweverTheyEnd() {
    blocker();
    Job failing =
        new Job(
            JobKind.COMPACT,
            "failing",
            List.of(),
            () -> {
              ran.add("failing");
              throw new IOException("disk full");
            });
    Job cancelled =
        new Job(
            JobKind.COMPACT,
            "cancelled",
            List.of(),
            () -> {
              throw new CancellationException();
            });
    Job last = job(JobKind.COMMIT, "last", List.of(failing, cancelled));
    scheduler.submit(List.of(last, failing, cancelled));
    gate.countDown();
    awaitEnded(4);
    assertThat(ran).containsExactly("failing", "last");
    assertThat(failing.state()).isEqualTo(Job.State.FAILED);
    assertThat(failing.failure()).hasMessage("disk full");
    assertThat(cancelled.state()).isEqualTo(Job.State.CANCELLED);
    assertThat(last.state()).isEqualTo(Job.State.DONE);
  }

  /** An error of the virtual machine ends the job, not the thread, and what comes after goes on. */
  @Test
  void errorsEndNoThread() {
    Job broken =
        new Job(
            JobKind.COMPACT,
            "broken",
            List.of(),
            () -> {
              throw new OutOfMemoryError("a damaged length");
            });
    Job last = job(JobKind.COMMIT, "last", List.of(broken));
    scheduler.submit(List.of(broken, last));
    awaitEnded(2);
    assertThat(broken.state()).isEqualTo(Job.State.FAILED);
    assertThat(broken.failure()).isInstanceOf(OutOfMemoryError.class);
    assertThat(ran).containsExactly("last");
    assertThat(scheduler.running()).isZero();
  }

  /** Waiting for other servers keeps no file from being built. */
  @Test
  void remoteJobsHaveAThreadOfTheirOwn() {
    Job waits =
        new Job(
            JobKind.REMOTE,
            "waits",
            List.of(),
            () -> {
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new CancellationException("interrupted");
              }
            });
    Job after = job(JobKind.COMPACT, "after", List.of(waits));
    scheduler.submit(List.of(waits, after, job(JobKind.FLUSH, "flush", List.of())));
    awaitEnded(1);
    assertThat(ran).containsExactly("flush");
    gate.countDown();
    awaitEnded(3);
    assertThat(ran).containsExactly("flush", "after");
  }

  @Test
  void aFullBacklogRefusesAllOrNothing() {
    blocker();
    for (int i = 0; i < 5; i++) {
      assertThat(scheduler.submit(List.of(job(JobKind.FLUSH, "waits " + i, List.of())))).isTrue();
    }
    Job refused = job(JobKind.FLUSH, "refused", List.of());
    assertThat(scheduler.submit(List.of(refused))).isFalse();
    assertThat(scheduler.waiting()).isEqualTo(5);
    gate.countDown();
    awaitEnded(6);
    assertThat(ran).hasSize(5).doesNotContain("refused");
    assertThat(scheduler.submit(List.of(refused))).as("there is room again").isTrue();
    awaitEnded(7);
  }

  @Test
  void closingCancelsWhatWaitsAndInterruptsWhatRuns() {
    Job running = blocker();
    Job waiting = job(JobKind.FLUSH, "waits", List.of());
    Job blocked = job(JobKind.COMMIT, "blocked", List.of(waiting));
    scheduler.submit(List.of(waiting, blocked));
    scheduler.close();
    assertThat(running.state()).isEqualTo(Job.State.CANCELLED);
    assertThat(waiting.state()).isEqualTo(Job.State.CANCELLED);
    assertThat(blocked.state()).isEqualTo(Job.State.CANCELLED);
    assertThat(ran).isEmpty();
    assertThat(scheduler.submit(List.of(job(JobKind.FLUSH, "late", List.of())))).isFalse();
  }
}
