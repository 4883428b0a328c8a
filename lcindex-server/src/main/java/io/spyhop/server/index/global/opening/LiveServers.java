package io.spyhop.server.index.global.opening;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.net.Address;

/**
 * The region servers that ZooKeeper counts among the living. No region of a server is opened
 * elsewhere before ZooKeeper has missed it, unless the server has closed it. Thread-safe.
 */
public final class LiveServers {
  /**
   * How old the answer may be: with {@link Leases#TERM} less than the master needs at the least to
   * find a server dead, to split its log and to have its regions opened.
   */
  private static final Duration FRESH = Duration.ofMillis(200);

  /** How long nobody is asked after ZooKeeper gave no answer. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /** How long a question waits for another one's answer: it holds a handler. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final IoSupplier<List<String>> source;
  private final LongSupplier nanos;
  private final Lock asking = new ReentrantLock();
  private volatile Known known;
  private volatile Silence silence;

  /** The servers that were listed at a time of the clock. */
  private record Known(Set<ServerName> living, long at) {}

  /** A failure to list servers, and until when no thread tries again. */
  private record Silence(IOException why, long until) {}

  /**
   * @param nanos a clock that only goes forwards
   */
  public LiveServers(IoSupplier<List<String>> source, LongSupplier nanos) {
    this.source = source;
    this.nanos = nanos;
  }

  /**
   * The servers that live; the same instance as long as they are the same. One that was started
   * again is dead, even where it is still registered. One thread at a time waits for ZooKeeper;
   * others wait a moment for that one.
   *
   * @throws IOException if that cannot be told
   */
  Set<ServerName> living() throws IOException {
    Known now = known;
    if (isFresh(now)) {
      return now.living;
    }
    requireNoSilence();
    if (!hasTurn()) {
      throw new IOException("which region servers live is being asked and not known yet");
    }
    try {
      Known meanwhile = known;
      if (isFresh(meanwhile)) {
        return meanwhile.living;
      }
      requireNoSilence();
      return ask();
    } finally {
      asking.unlock();
    }
  }

  private boolean hasTurn() throws InterruptedIOException {
    try {
      return asking.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw Interruption.of("asking who lives", e);
    }
  }

  private boolean isFresh(Known some) {
    return some != null && nanos.getAsLong() - some.at <= FRESH.toNanos();
  }

  private void requireNoSilence() throws IOException {
    Silence last = silence;
    if (last != null && nanos.getAsLong() - last.until < 0) {
      throw new IOException("which region servers live cannot be told", last.why);
    }
  }

  private Set<ServerName> ask() throws IOException {
    long at = nanos.getAsLong();
    Known before = known;
    try {
      Set<ServerName> living = newest(source.get());
      boolean same = before != null && before.living.equals(living);
      known = new Known(same ? before.living : living, at);
      silence = null;
      return known.living;
    } catch (IOException e) {
      silence = new Silence(e, nanos.getAsLong() + SILENCE.toNanos());
      throw e;
    }
  }

  private static Set<ServerName> newest(List<String> names) {
    Map<Address, ServerName> newest = new HashMap<>();
    for (String name : names) {
      if (!ServerName.isFullServerName(name)) {
        continue;
      }
      ServerName server = ServerName.valueOf(name);
      newest.merge(
          server.getAddress(), server, (a, b) -> a.getStartcode() > b.getStartcode() ? a : b);
    }
    return Set.copyOf(newest.values());
  }
}
