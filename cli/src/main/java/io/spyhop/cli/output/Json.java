package io.spyhop.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes records as JSON: a component {@code plainMs} is the key {@code plain_ms}. */
public final class Json {
  private static final ObjectMapper LINE =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
  private static final ObjectMapper DOCUMENT =
      LINE.copy().enable(SerializationFeature.INDENT_OUTPUT);

  /** The key of {@link Circumstances}. */
  static final String MEASURED = "measured";

  private Json() {}

  /** On one line. */
  public static String line(Object value) {
    return write(LINE, value);
  }

  /** Indented, over several lines. */
  public static String document(Object value) {
    return write(DOCUMENT, value);
  }

  private static String write(ObjectMapper mapper, Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(value.getClass() + " cannot be JSON", e);
    }
  }

  /** Any JSON. */
  static JsonNode tree(String text) throws JsonProcessingException {
    return LINE.readTree(text);
  }

  /** The figures of an object; none of anything else. */
  static Row row(JsonNode node) {
    return Row.of(node.isObject() ? LINE.convertValue(node, Map.class) : Map.of());
  }

  /** What {@link #document} wrote. */
  static <T> T value(JsonNode node, Class<T> type) throws JsonProcessingException {
    return LINE.treeToValue(node, type);
  }

  /**
   * Fails with the file's name.
   *
   * @throws IOException if it is not there or cannot be read
   */
  public static void checkReadable(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException("cannot read '" + file + "': there is no such file, or no permission");
    }
  }

  /**
   * Fails where a file could not be written later, before much work is done for it.
   *
   * @throws IOException if the file's directory is not there or not writable
   */
  public static void checkWritable(Path file) throws IOException {
    Path dir = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || dir == null || !Files.isDirectory(dir)) {
      throw new IOException(
          "cannot write '" + file + "': its directory does not exist, or it is one");
    }
    if (!Files.isWritable(Files.exists(file) ? file : dir)) {
      throw new IOException("cannot write '" + file + "': permission denied");
    }
  }

  /**
   * Writes what was measured, and when and where, into a file, replacing one that is there.
   *
   * @param results an object
   */
  public static void write(Path file, Object results) throws IOException {
    ObjectNode all = DOCUMENT.valueToTree(results);
    all.set(MEASURED, DOCUMENT.valueToTree(Circumstances.now()));
    Files.writeString(file, document(all) + System.lineSeparator());
  }
}
