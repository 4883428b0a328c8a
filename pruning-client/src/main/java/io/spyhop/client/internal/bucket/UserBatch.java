package io.spyhop.client.internal.bucket;

import io.spyhop.core.protocol.BelievedBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;

/**
 * Runs a list of users' operations on stored rows. Those that do not fit the table's buckets are
 * sent once more if it has others than was believed, and no operation that was done is. Failures
 * name the users' operations: those who try them again have them as they were. For one run; not
 * thread-safe.
 */
public final class UserBatch {
  private final List<? extends Row> users;
  private final Object[] results;
  private final Sender sender;

  /** Sends stored operations. */
  @FunctionalInterface
  public interface Sender {
    /**
     * @param results takes what came of each, if the caller wants to know
     */
    void send(List<Row> stored, Object[] results) throws IOException, InterruptedException;
  }

  /** Looks again how rows are stored. */
  @FunctionalInterface
  public interface SecondLook {
    /** Operations as they are stored now; empty if that is as it was. */
    Optional<StoredOperations> take() throws IOException;
  }

  /**
   * One operation that failed.
   *
   * @param index among the users'
   */
  private record Failure(int index, Throwable cause, String server) {}

  /**
   * @param results as many as there are operations; takes the results of stored rows
   */
  public UserBatch(List<? extends Row> users, Object[] results, Sender sender) {
    this.users = users;
    this.results = results;
    this.sender = sender;
  }

  /**
   * Sends them.
   *
   * @throws RetriesExhaustedWithDetailsException if some failed
   */
  public void run(StoredOperations believed, SecondLook look)
      throws IOException, InterruptedException {
    List<Failure> failures = send(IntStream.range(0, users.size()).boxed().toList(), believed);
    List<Integer> misfits =
        failures.stream()
            .filter(f -> BelievedBuckets.isRefusal(f.cause))
            .map(Failure::index)
            .toList();
    if (!misfits.isEmpty()) {
      Optional<StoredOperations> now = look.take();
      if (now.isPresent()) {
        failures.removeIf(f -> misfits.contains(f.index));
        failures.addAll(send(misfits, now.get()));
      }
    }
    if (!failures.isEmpty()) {
      throw new RetriesExhaustedWithDetailsException(
          failures.stream().map(Failure::cause).toList(),
          failures.stream().<Row>map(f -> users.get(f.index)).toList(),
          failures.stream().map(Failure::server).toList());
    }
  }

  private List<Failure> send(List<Integer> indexes, StoredOperations operations)
      throws IOException, InterruptedException {
    List<Row> stored = new ArrayList<>(indexes.size());
    Map<Row, Integer> origins = new IdentityHashMap<>();
    for (int index : indexes) {
      stored.add(operations.of(users.get(index)));
      origins.put(stored.get(stored.size() - 1), index);
    }
    Object[] some = new Object[stored.size()];
    List<Failure> failures = new ArrayList<>();
    try {
      sender.send(stored, some);
    } catch (RetriesExhaustedWithDetailsException e) {
      for (int i = 0; i < e.getNumExceptions(); i++) {
        Integer origin = origins.get(e.getRow(i));
        if (origin == null) {
          throw e;
        }
        failures.add(new Failure(origin, e.getCause(i), e.getHostnamePort(i)));
      }
    } finally {
      for (int i = 0; i < some.length; i++) {
        results[indexes.get(i)] = some[i];
      }
    }
    return failures;
  }
}
