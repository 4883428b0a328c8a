package io.spyhop.core.schema;

import io.spyhop.core.value.ValueType;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The text form of a definition as it stands in a table descriptor, so that {@code describe} shows
 * it: {@code v=1;kind=LOCAL;column=d%3Atotalprice;type=DOUBLE;...} with URL-encoded values.
 *
 * @see <a href="file:../../../../../../../../docs/formats/schema.md">docs/formats/schema.md</a>
 */
final class DefinitionText {
  private static final String VERSION = "1";
  private static final Set<String> KEYS =
      new HashSet<>(
          Arrays.asList(
              "v",
              "kind",
              "column",
              "type",
              "flags",
              "min",
              "max",
              "include",
              "maintenance",
              "repair",
              "bloom",
              "id"));

  private DefinitionText() {}

  static String format(IndexDefinition d) {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("v", VERSION);
    parts.put("kind", d.kind().name());
    parts.put("column", d.column().toString());
    parts.put("type", d.type().name());
    parts.put("flags", Integer.toString(d.flags()));
    d.min().ifPresent(m -> parts.put("min", m.value().toString()));
    d.max().ifPresent(m -> parts.put("max", m.value().toString()));
    d.include().ifPresent(columns -> parts.put("include", list(columns)));
    if (d.kind() == IndexKind.GLOBAL) {
      parts.put("maintenance", d.maintenance().name());
      parts.put("repair", d.repair().name());
    }
    if (d.bloom().isOn() || d.kind() == IndexKind.STATS) {
      parts.put("bloom", d.bloom().toString());
    }
    parts.put("id", Long.toHexString(d.incarnation()));
    StringBuilder text = new StringBuilder();
    parts.forEach(
        (k, v) ->
            text.append(text.length() == 0 ? "" : ";")
                .append(k)
                .append('=')
                .append(URLEncoder.encode(v, StandardCharsets.UTF_8)));
    return text.toString();
  }

  /** Column names, each URL-encoded, with commas between. */
  private static String list(Collection<ColumnName> columns) {
    return columns.stream()
        .map(c -> URLEncoder.encode(c.toString(), StandardCharsets.UTF_8))
        .collect(Collectors.joining(","));
  }

  private static List<ColumnName> columns(String list) {
    return Arrays.stream(list.split(","))
        .filter(c -> !c.isEmpty())
        .map(c -> ColumnName.parse(URLDecoder.decode(c, StandardCharsets.UTF_8)))
        .toList();
  }

  static IndexDefinition parse(String name, String text) {
    Map<String, String> parts = split(name, text);
    String version = required(name, parts, "v");
    if (!version.equals(VERSION)) {
      throw new InvalidIndexException(
          "index '" + name + "': definition version " + version + ", this code reads " + VERSION);
    }
    try {
      IndexDefinition.Builder b =
          IndexDefinition.builder(name)
              .kind(IndexKind.valueOf(required(name, parts, "kind").toUpperCase(Locale.ROOT)))
              .column(required(name, parts, "column"))
              .type(ValueType.parse(required(name, parts, "type")))
              .range(parts.get("min"), parts.get("max"))
              .incarnation(Long.parseUnsignedLong(required(name, parts, "id"), 16));
      if (parts.containsKey("flags")) {
        b.flags(Integer.parseInt(parts.get("flags")));
      }
      if (parts.containsKey("maintenance")) {
        b.maintenance(Maintenance.valueOf(parts.get("maintenance").toUpperCase(Locale.ROOT)));
      }
      if (parts.containsKey("repair")) {
        b.repair(Repair.valueOf(parts.get("repair").toUpperCase(Locale.ROOT)));
      }
      if (parts.containsKey("bloom")) {
        b.bloom(BloomSize.parse(parts.get("bloom")));
      }
      if (parts.containsKey("include")) {
        b.include(columns(parts.get("include")));
      }
      return b.build();
    } catch (InvalidIndexException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidIndexException(
          "index '" + name + "': cannot read definition '" + text + "': " + e.getMessage(), e);
    }
  }

  private static Map<String, String> split(String name, String text) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (String part : text.split(";", -1)) {
      int eq = part.indexOf('=');
      String key = eq < 0 ? part : part.substring(0, eq);
      if (eq < 0 || !KEYS.contains(key)) {
        throw new InvalidIndexException(
            "index '" + name + "': cannot read '" + part + "' in definition '" + text + "'");
      }
      parts.put(key, URLDecoder.decode(part.substring(eq + 1), StandardCharsets.UTF_8));
    }
    return parts;
  }

  private static String required(String name, Map<String, String> parts, String key) {
    String value = parts.get(key);
    if (value == null) {
      throw new InvalidIndexException("index '" + name + "': its definition lacks '" + key + "'");
    }
    return value;
  }
}
