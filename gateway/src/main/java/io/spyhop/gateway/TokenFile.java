package io.spyhop.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of a file as it is now: a file that was changed is read again. Where that fails the
 * users stay as they were, and the log says why. Thread-safe.
 */
public final class TokenFile {
  private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);

  /** The state of a file, as far as the file system tells it from another. */
  private record State(FileTime modified, long size, Object identity) {
    static State of(Path file) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return new State(now.lastModifiedTime(), now.size(), now.fileKey());
      } catch (IOException e) {
        return new State(null, -1, null); // reading it says why
      }
    }
  }

  private final String option;
  private final Path file;
  private State state;
  private State told;
  private TokenUsers users;

  private TokenFile(String option, Path file, State state, TokenUsers users) {
    this.option = option;
    this.file = file;
    this.state = state;
    this.users = users;
  }

  /**
   * Reads a file.
   *
   * @param option that names it, for messages
   * @throws IOException if it cannot be read, may be read by everybody, or is no such file
   */
  public static TokenFile open(String option, Path file) throws IOException {
    State state = State.of(file);
    return new TokenFile(option, file, state, TokenUsers.read(option, file));
  }

  /** The users that it has now. */
  synchronized TokenUsers users() {
    State now = State.of(file);
    if (!now.equals(state)) {
      try {
        users = TokenUsers.read(option, file);
        state = now;
        LOG.info("{}: '{}' has changed and was read again", option, file);
      } catch (IOException e) {
        tell(now, e); // and it is tried again: what failed may be the disk
      }
    }
    return users;
  }

  /** Once for each state of the file. */
  private void tell(State now, IOException failure) {
    if (!now.equals(told)) {
      LOG.error("The gateway goes on with the users that it knew: {}", failure.getMessage());
      told = now;
    }
  }
}
