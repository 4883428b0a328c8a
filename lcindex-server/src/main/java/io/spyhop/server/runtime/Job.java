package io.spyhop.server.runtime;

import io.spyhop.core.io.IoRunnable;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * A piece of index work of one region, run once by {@link JobScheduler}. Its state is safe to read
 * from any thread.
 */
public final class Job {
  /** The progress of a job. */
  public enum State {
    WAITING,
    RUNNING,
    DONE,
    FAILED,
    CANCELLED;

    /** Whether the job runs no more, or never will. */
    public boolean isEnded() {
      return compareTo(DONE) >= 0;
    }
  }

  private final JobKind kind;
  private final String subject;
  private final List<Job> after;
  private final IoRunnable work;
  private volatile State state = State.WAITING;
  private volatile Throwable failure;
  private long queuedAt;
  private long startedAt;
  private long endedAt;

  /**
   * @param subject what it is about, for messages
   * @param after jobs that must have ended, however, before it starts
   * @param work a {@link CancellationException} from it says that it is no longer wanted
   */
  public Job(JobKind kind, String subject, List<Job> after, IoRunnable work) {
    this.kind = kind;
    this.subject = subject;
    this.after = List.copyOf(after);
    this.work = work;
  }

  public JobKind kind() {
    return kind;
  }

  List<Job> after() {
    return after;
  }

  public State state() {
    return state;
  }

  /** Why it failed, or null. */
  public Throwable failure() {
    return failure;
  }

  /** Jobs are started in ascending order of this; so none waits for ever. */
  long dueAt() {
    return queuedAt + kind.allowance();
  }

  public long waited() {
    return startedAt - queuedAt;
  }

  public long ran() {
    return endedAt - startedAt;
  }

  long endedAt() {
    return endedAt;
  }

  void queued(long now) {
    queuedAt = now;
  }

  /** Runs the work; nothing that it throws gets out, errors of the virtual machine included. */
  void run(long now) {
    startedAt = now;
    state = State.RUNNING;
    try {
      work.run();
      ended(State.DONE, null);
    } catch (CancellationException e) {
      ended(State.CANCELLED, e);
    } catch (Throwable e) {
      ended(State.FAILED, e);
    }
  }

  private void ended(State how, Throwable why) {
    failure = why;
    state = how;
  }

  void endedAt(long now) {
    endedAt = now;
  }

  /** Ends a job that never ran. */
  void cancel(long now) {
    startedAt = now;
    ended(State.CANCELLED, null);
  }

  @Override
  public String toString() {
    return kind + " of " + subject;
  }
}
