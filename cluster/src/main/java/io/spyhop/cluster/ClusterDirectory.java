package io.spyhop.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;

/** The directory of a cluster. Immutable; what is in it changes. */
final class ClusterDirectory {
  private static final String MARK = "cluster.properties";
  private static final String MARK_TEXT = "format=1\n";
  private static final String PROPERTIES = ".properties";
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(90);
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path root;

  private ClusterDirectory(Path root) {
    this.root = root;
  }

  /**
   * A directory for a new cluster, for this user alone.
   *
   * @throws ClusterException if there is something in it, or if it cannot be made
   */
  static ClusterDirectory create(Path dir) throws IOException {
    ClusterDirectory created = new ClusterDirectory(absolute(dir));
    created.requireNew();
    created.make();
    for (Path part : List.of(created.conf(), created.servers(), created.pids(), created.logs())) {
      Files.createDirectories(part);
    }
    Files.createDirectories(created.data(""));
    return created;
  }

  /**
   * The directory of a cluster that was started before.
   *
   * @throws ClusterException if it is none
   */
  static ClusterDirectory open(Path dir) throws ClusterException {
    ClusterDirectory opened = new ClusterDirectory(absolute(dir));
    if (!opened.isMarked()) {
      throw new ClusterException("there is no cluster in '" + opened + "'");
    }
    return opened;
  }

  /** Whether a directory is one of a cluster that was started before. */
  static boolean isOne(Path dir) {
    return new ClusterDirectory(absolute(dir)).isMarked();
  }

  private static Path absolute(Path dir) {
    return Objects.requireNonNull(dir, "dir").toAbsolutePath().normalize();
  }

  private boolean isMarked() {
    return Files.isRegularFile(root.resolve(MARK));
  }

  private void requireNew() throws IOException {
    if (isMarked()) {
      throw new ClusterException(whatIsThere());
    }
    if (!Files.exists(root)) {
      return;
    }
    if (!Files.isDirectory(root)) {
      throw new ClusterException("'" + root + "' is not a directory");
    }
    try (Stream<Path> entries = Files.list(root)) {
      if (entries.findAny().isPresent()) {
        throw new ClusterException("the directory '" + root + "' is not empty and no cluster's");
      }
    }
  }

  private String whatIsThere() {
    List<ProcessHandle> running = processes();
    if (running.isEmpty()) {
      return "there is a stopped cluster in '" + root + "'; start it again, or delete it";
    }
    return String.format(
        "a cluster runs in '%s' (%d processes, such as %d); stop it first, or use another"
            + " directory",
        root, running.size(), running.get(0).pid());
  }

  private void make() throws IOException {
    try {
      Files.createDirectories(root, OWNER_ONLY);
      Files.writeString(root.resolve(MARK), MARK_TEXT, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new ClusterException(whatIsThere()); // since a moment ago
    } catch (IOException e) {
      throw new ClusterException("cannot make the directory '" + root + "': " + e);
    }
  }

  Path root() {
    return root;
  }

  /** On every server's class path. */
  Path conf() {
    return root.resolve("conf");
  }

  Path logs() {
    return root.resolve("logs");
  }

  /** A part of the data. */
  Path data(String part) {
    return root.resolve("data").resolve(part);
  }

  private Path servers() {
    return root.resolve("servers");
  }

  private Path pids() {
    return root.resolve("pids");
  }

  Path plan(String server) {
    return servers().resolve(server + PROPERTIES);
  }

  Path arguments(String server) {
    return servers().resolve(server + ".args");
  }

  Path pid(String server) {
    return pids().resolve(server + PROPERTIES);
  }

  /** All servers there are, in the order in which they are started. */
  List<ServerPlan> plans() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(servers())) {
      files = all.filter(f -> f.toString().endsWith(PROPERTIES)).collect(Collectors.toList());
    }
    ServerPlan[] plans = new ServerPlan[files.size()];
    for (int i = 0; i < plans.length; i++) {
      plans[i] = ServerPlan.read(files.get(i));
    }
    return Stream.of(plans)
        .sorted(Comparator.comparing(ServerPlan::role).thenComparing(ServerPlan::number))
        .toList();
  }

  /** A server is no more: neither what it is started with nor that it ever was. */
  void forget(String server) throws IOException {
    Files.deleteIfExists(plan(server));
    Files.deleteIfExists(arguments(server));
    Files.deleteIfExists(pid(server));
  }

  /** All processes of servers of this directory, known or not. */
  List<ProcessHandle> processes() {
    String argument = ServerLaunch.argument(servers());
    return ProcessHandle.allProcesses()
        .filter(p -> ProcessRecord.arguments(p).stream().anyMatch(a -> a.startsWith(argument)))
        .toList();
  }

  /**
   * Keeps others from starting and stopping servers, until closed or until this process ends.
   *
   * @throws IOException if another process does for long
   */
  Lock lock() throws IOException {
    FileChannel channel =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      Poll.until("the process that works on '" + root + "'", LOCK_LIMIT, () -> isLocked(channel));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    return channel::close;
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // another thread of this process has it
    }
  }

  /** Held while servers are started or stopped. */
  @FunctionalInterface
  interface Lock extends AutoCloseable {
    @Override
    void close() throws IOException;
  }

  /** Deletes everything, whatever runs. */
  void delete() throws IOException {
    if (!FileUtil.fullyDelete(root.toFile()) && Files.exists(root)) {
      throw new IOException("the directory '" + root + "' could not be deleted");
    }
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
