package io.spyhop.cluster;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/** Small files of names and values, which other processes read at any time. Stateless. */
final class PropertyFile {
  private PropertyFile() {}

  /**
   * What a file holds.
   *
   * @throws java.nio.file.NoSuchFileException if it is not there
   */
  static Properties read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + file + "' is damaged: " + e.getMessage(), e);
    }
    return properties;
  }

  /** Writes a file, as a whole or not at all. */
  static void write(Path file, Properties properties) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (Writer out = Files.newBufferedWriter(part)) {
      properties.store(out, null);
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * A number.
   *
   * @throws IOException if there is none
   */
  static long number(Path file, Properties properties, String name) throws IOException {
    try {
      return Long.parseLong(properties.getProperty(name));
    } catch (NumberFormatException e) {
      throw new IOException("'" + file + "' is damaged: no number " + name, e);
    }
  }
}
