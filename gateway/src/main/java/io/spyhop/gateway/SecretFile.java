package io.spyhop.gateway;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Reads files that not everybody may read. Stateless. */
public final class SecretFile {
  private SecretFile() {}

  /**
   * The text of a file in UTF-8.
   *
   * @param option that names the file, for messages
   * @param most bytes that it may have
   * @throws IOException if it cannot be read, is longer or not UTF-8, or may be read or written by
   *     everybody
   */
  public static String read(String option, Path file, long most) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException(option + ": cannot read '" + file + "'");
    }
    if (Files.size(file) > most) {
      throw new IOException(option + ": '" + file + "' has more than " + most + " bytes");
    }
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.contains(PosixFilePermission.OTHERS_READ)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new IOException(
            option
                + ": everybody may read or write '"
                + file
                + "'; chmod 600 it, and change what is secret in it");
      }
    }
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(option + ": '" + file + "' is not UTF-8", e);
    }
  }
}
