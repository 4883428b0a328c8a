package io.spyhop.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The process of a server, as it was last started. It may be gone, and another process may have its
 * number.
 *
 * @param pid the process's number
 * @param asked when it was started, by the clock of the process that did, in milliseconds
 */
record ProcessRecord(long pid, long asked) {
  void write(Path file) throws IOException {
    Properties p = new Properties();
    p.setProperty("pid", String.valueOf(pid));
    p.setProperty("asked", String.valueOf(asked));
    PropertyFile.write(file, p);
  }

  /** What was written, if there is something. */
  static Optional<ProcessRecord> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      Properties p = PropertyFile.read(file);
      return Optional.of(
          new ProcessRecord(
              PropertyFile.number(file, p, "pid"), PropertyFile.number(file, p, "asked")));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * The process, if it runs and is the one that was started.
   *
   * @param argument that its command line has, and no other's
   */
  Optional<ProcessHandle> process(String argument) {
    return ProcessHandle.of(pid).filter(p -> arguments(p).contains(argument));
  }

  /** Of a process's command line; none of one that has ended and was not waited for. */
  static List<String> arguments(ProcessHandle process) {
    return Arrays.asList(process.info().arguments().orElse(new String[0]));
  }
}
