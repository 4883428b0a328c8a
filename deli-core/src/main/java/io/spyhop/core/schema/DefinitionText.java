package io.spyhop.core.schema;

import io.spyhop.core.value.ValueType;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The text form of a definition as it stands in a table descriptor, so that {@code describe} shows
 * it: {@code v=1;kind=LOCAL;column=d%3Atotalprice;type=DOUBLE;...} with URL-encoded values.
 *
 * @see <a href="file:../../../../../../../../docs/formats/schema.md">docs/formats/schema.md</a>
 */
final class DefinitionText {
  private static final String VERSION = "1";

  /** Messages carry twice as many; what writes it makes much garbage of names in no letters. */
  private static final int MAX_LENGTH = 32_767;

  /** What a byte that is not printed takes: of {@code \xNN}, URLs have the first as {@code %5C}. */
  private static final int ESCAPED = 6;

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
              "layout",
              "maintenance",
              "repair",
              "boundaries",
              "bloom",
              "id"));

  private DefinitionText() {}

  /**
   * The text.
   *
   * @throws InvalidIndexException if it would be too long for messages
   */
  static String format(IndexDefinition d) {
    requireShort(d, names(d));
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("v", VERSION);
    parts.put("kind", d.kind().name());
    parts.put("column", d.column().toString());
    parts.put("type", d.type().name());
    parts.put("flags", Integer.toString(d.flags()));
    d.options().write(parts);
    if (d.bloom().isOn() || !d.bloom().equals(d.options().usualBloom())) {
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
    requireShort(d, text.length());
    return text.toString();
  }

  private static void requireShort(IndexDefinition d, int length) {
    if (length > MAX_LENGTH) {
      throw new InvalidIndexException(
          "index '"
              + d.name()
              + "': its definition as text has more than "
              + MAX_LENGTH
              + " characters; include fewer columns, or leave include out to store them all");
    }
  }

  /** How many characters the names of columns take at least, before any is written. */
  private static int names(IndexDefinition d) {
    int sum = names(d.column());
    if (d.options() instanceof LocalOptions l && l.include().isPresent()) {
      for (ColumnName c : l.include().get()) {
        sum = Math.min(MAX_LENGTH, sum) + names(c);
      }
    }
    return sum;
  }

  private static int names(ColumnName c) {
    int sum = c.family().length;
    for (byte b : c.qualifier()) {
      sum += b >= ' ' && b <= '~' ? 1 : ESCAPED;
    }
    return sum;
  }

  private static List<ColumnName> columns(String list) {
    String[] names = list.split(",", IndexDefinition.MAX_INCLUDED + 2);
    if (names.length > IndexDefinition.MAX_INCLUDED + 1) {
      throw new IllegalArgumentException(
          "include names more than " + IndexDefinition.MAX_INCLUDED + " columns");
    }
    return Arrays.stream(names)
        .filter(c -> !c.isEmpty())
        .map(c -> ColumnName.parse(URLDecoder.decode(c, StandardCharsets.UTF_8)))
        .toList();
  }

  static IndexDefinition parse(String name, String text) {
    Map<String, String> parts;
    try {
      parts = split(name, text);
    } catch (InvalidIndexException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidIndexException(
          "index '" + name + "': its definition is not URL-encoded: " + e.getMessage(), e);
    }
    String version = required(name, parts, "v");
    if (!version.equals(VERSION)) {
      throw new InvalidIndexException(
          "index '" + name + "': definition version " + version + ", this code reads " + VERSION);
    }
    try {
      IndexKind kind = one(IndexKind.class, "kind", required(name, parts, "kind"));
      IndexDefinition.Builder b =
          IndexDefinition.builder(name)
              .kind(kind)
              .column(required(name, parts, "column"))
              .type(ValueType.parse(required(name, parts, "type")))
              .range(parts.get("min"), parts.get("max"))
              .incarnation(id(required(name, parts, "id")));
      if (parts.containsKey("flags")) {
        b.readFlags(number("flags", parts.get("flags")));
      }
      if (parts.containsKey("maintenance")) {
        b.maintenance(one(Maintenance.class, "maintenance", parts.get("maintenance")));
      }
      if (parts.containsKey("repair")) {
        b.repair(one(Repair.class, "repair", parts.get("repair")));
      }
      if (parts.containsKey("boundaries")) {
        b.boundaries(one(Boundaries.class, "boundaries", parts.get("boundaries")));
      }
      if (parts.containsKey("bloom")) {
        b.bloom(BloomSize.parse(parts.get("bloom")));
      }
      if (parts.containsKey("include")) {
        b.include(columns(parts.get("include")));
      }
      if (parts.containsKey("layout")) {
        b.layout(one(Layout.class, "layout", parts.get("layout")));
      } else if (kind == IndexKind.LOCAL) {
        b.layout(Layout.CLUSTERING);
      }
      return b.build();
    } catch (InvalidIndexException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidIndexException(
          "index '" + name + "': cannot read definition '" + text + "': " + e.getMessage(), e);
    }
  }

  private static <E extends Enum<E>> E one(Class<E> kind, String key, String text) {
    return Arrays.stream(kind.getEnumConstants())
        .filter(e -> e.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    key + " '" + text + "' is none of " + EnumSet.allOf(kind)));
  }

  private static int number(String key, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " '" + text + "' is no whole number", e);
    }
  }

  private static long id(String text) {
    try {
      return Long.parseUnsignedLong(text, 16);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "id '" + text + "' is no number of at most 16 hexadecimal digits", e);
    }
  }

  private static Map<String, String> split(String name, String text) {
    if (text.length() > MAX_LENGTH) {
      throw new InvalidIndexException(
          "index '" + name + "': a definition of " + text.length() + " characters");
    }
    Map<String, String> parts = new LinkedHashMap<>();
    for (String part : text.split(";", KEYS.size() + 1)) {
      int eq = part.indexOf('=');
      String key = eq < 0 ? part : part.substring(0, eq);
      if (eq < 0 || !KEYS.contains(key)) {
        throw new InvalidIndexException(
            "index '" + name + "': cannot read '" + part + "' in definition '" + text + "'");
      }
      String value = URLDecoder.decode(part.substring(eq + 1), StandardCharsets.UTF_8);
      if (parts.put(key, value) != null) {
        throw new InvalidIndexException(
            "index '" + name + "': two of '" + key + "' in definition '" + text + "'");
      }
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
