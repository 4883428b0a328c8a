package io.spyhop.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.ServerName;

/**
 * One server of a cluster, running or not. All it knows is in the cluster's directory, where other
 * processes may change it at any time. Thread-safe.
 */
public final class Server {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(30);

  /** A process that was killed is gone a moment before its sockets are. */
  private static final Duration PORT_LIMIT = Duration.ofSeconds(3);

  private final ClusterDirectory dir;
  private final boolean endsWithUs;
  private final ServerPlan plan;

  Server(ClusterDirectory dir, ServerPlan plan, boolean endsWithUs) {
    this.dir = dir;
    this.plan = plan;
    this.endsWithUs = endsWithUs;
  }

  /** States of a server. */
  public enum State {
    /** It has a process. */
    RUNNING,
    /** Its process is gone, and nobody stopped it: it failed or was killed. */
    ENDED,
    /** It was stopped, or never started. */
    STOPPED
  }

  /** Such as {@code regionserver-2}. */
  public String name() {
    return plan.name();
  }

  /** What it is. */
  public ServerRole role() {
    return plan.role();
  }

  /** Where it listens, always the same. */
  public int port() {
    return plan.port();
  }

  /** Where its JMX beans are, on this machine; 0 if it was not asked to have any. */
  public int jmxPort() {
    return plan.jmxPort();
  }

  /** Its log; what it prints is in a file beside it. */
  public Path log() {
    return dir.logs().resolve(name() + ".log");
  }

  /** What it does now. */
  public State state() throws IOException {
    Optional<ProcessRecord> last = last();
    if (last.isEmpty()) {
      return State.STOPPED;
    }
    return last.flatMap(this::process).isPresent() ? State.RUNNING : State.ENDED;
  }

  /** Whether it has a process, which may have been paused. */
  public boolean isRunning() throws IOException {
    return process().isPresent();
  }

  /** The process's number, while it runs. */
  public OptionalLong pid() throws IOException {
    Optional<ProcessHandle> process = process();
    return process.isPresent() ? OptionalLong.of(process.get().pid()) : OptionalLong.empty();
  }

  /** Whether a server of HBase that has this name is this one, and not what it was before. */
  public boolean is(ServerName name) throws IOException {
    return name.getPort() == port()
        && last().filter(p -> p.asked() <= name.getStartCode()).isPresent();
  }

  private Optional<ProcessRecord> last() throws IOException {
    return ProcessRecord.read(dir.pid(name()));
  }

  private Optional<ProcessHandle> process(ProcessRecord record) {
    return record.process(ServerLaunch.argument(dir.arguments(name())));
  }

  private Optional<ProcessHandle> process() throws IOException {
    return last().flatMap(this::process);
  }

  /**
   * Starts it; returns at once.
   *
   * @throws ClusterException if it runs, or if its port is in use
   */
  public void start() throws IOException {
    try (ClusterDirectory.Lock lock = dir.lock()) {
      begin(ServerPlan.read(dir.plan(name())));
    }
  }

  /**
   * Starts it with another class path, which it keeps; returns at once.
   *
   * @throws ClusterException if it runs, or if its port is in use
   */
  public void start(String classPath) throws IOException {
    try (ClusterDirectory.Lock lock = dir.lock()) {
      ServerPlan changed = ServerPlan.read(dir.plan(name())).withClassPath(classPath);
      requireStartable();
      changed.write(dir.plan(name()));
      begin(changed);
    }
  }

  /** Starts it for a caller that has the directory's lock. */
  void begin(ServerPlan as) throws IOException {
    requireStartable();
    long asked = System.currentTimeMillis();
    Process process = ServerLaunch.start(dir, as, endsWithUs);
    new ProcessRecord(process.pid(), asked).write(dir.pid(name()));
  }

  void beginAsBefore() throws IOException {
    begin(ServerPlan.read(dir.plan(name())));
  }

  private void requireStartable() throws IOException {
    OptionalLong pid = pid();
    if (pid.isPresent()) {
      throw new ClusterException(name() + " runs already, as process " + pid.getAsLong());
    }
    for (int port : new int[] {port(), jmxPort()}) {
      if (port > 0 && !Poll.isMetWithin(PORT_LIMIT, () -> Loopback.isFree(port))) {
        throw new ClusterException("port " + port + " of " + name() + " is in use");
      }
    }
  }

  /**
   * Ends it as an operator does; returns when it is gone. A server that does not run stays so.
   *
   * @throws IOException if it takes longer than a minute
   */
  public void stop() throws IOException {
    end(STOP_LIMIT);
    setStopped();
  }

  /** Asks it to end, and kills it if it does not within a time. */
  void stop(Duration limit) throws IOException {
    Optional<ProcessHandle> process = process();
    if (process.isPresent()) {
      signal(process.get(), "CONT");
      process.get().destroy();
      if (!Poll.isMetWithin(limit, () -> !isRunning())) {
        kill();
      }
    }
    setStopped();
  }

  private void end(Duration limit) throws IOException {
    Optional<ProcessHandle> process = process();
    if (process.isPresent()) {
      process.get().destroy();
      Poll.until(name() + " to stop", limit, () -> !isRunning());
    }
  }

  private void setStopped() throws IOException {
    Files.deleteIfExists(dir.pid(name()));
  }

  /**
   * Ends its process from one instruction to the next; returns when it is gone.
   *
   * @return whether there was one
   */
  public boolean kill() throws IOException {
    Optional<ProcessHandle> process = process();
    process.ifPresent(ProcessHandle::destroyForcibly);
    awaitEnd();
    return process.isPresent();
  }

  /** Returns when its process is gone, for which there are 30 seconds. */
  public void awaitEnd() throws IOException {
    Poll.until(name() + " to end", KILL_LIMIT, () -> !isRunning());
  }

  /**
   * Its process does nothing any more until it is resumed, but is still there.
   *
   * @throws ClusterException if it does not run
   */
  public void pause() throws IOException {
    signal(requireProcess(), "STOP");
  }

  /**
   * Its process goes on after a pause.
   *
   * @throws ClusterException if it does not run
   */
  public void resume() throws IOException {
    signal(requireProcess(), "CONT");
  }

  private ProcessHandle requireProcess() throws IOException {
    return process().orElseThrow(() -> new ClusterException(name() + " does not run"));
  }

  private static void signal(ProcessHandle process, String signal) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Poll.until("the signal " + signal, KILL_LIMIT, () -> !kill.isAlive());
    if (kill.exitValue() != 0 && process.isAlive()) {
      throw new IOException("process " + process.pid() + " did not take the signal " + signal);
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
