package io.spyhop.server.runtime;

import io.spyhop.core.protocol.JobRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The jobs that ended last, up to a number, for reports. Thread-safe. */
public final class JobLog {
  private final int capacity;
  private final Deque<JobRecord> records = new ArrayDeque<>();

  public JobLog(int capacity) {
    this.capacity = capacity;
  }

  public synchronized void add(Job job) {
    if (records.size() == capacity) {
      records.removeFirst();
    }
    records.addLast(
        new JobRecord(
            job.kind().name(), job.state().name(), job.endedAt(), job.waited(), job.ran()));
  }

  public synchronized List<JobRecord> records() {
    return new ArrayList<>(records);
  }
}
