package io.spyhop.ycsb;

import io.spyhop.client.Consistency;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Maintenance;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Durability;
import site.ycsb.WorkloadException;
import site.ycsb.workloads.CoreWorkload;

/**
 * The properties of this binding and its workloads. Each is read once and checked, and the message
 * of a wrong one names it. Not thread-safe.
 */
final class Settings {
  /** What a property of this binding begins with. */
  static final String PREFIX = "spyhop.";

  static final String INDEX = PREFIX + "index";
  static final String MAINTENANCE = PREFIX + "maintenance";
  static final String CREATE = PREFIX + "create";
  static final String REGIONS = PREFIX + "regions";
  static final String FAMILY = "columnfamily";
  static final String VALUES = PREFIX + "values";
  static final String DIMENSIONS = PREFIX + "dimensions";
  static final String SELECTIVITY = PREFIX + "selectivity";
  static final String BATCH = PREFIX + "batch";
  static final String LIMIT = PREFIX + "limit";
  static final String CONSISTENCY = PREFIX + "consistency";
  static final String READ = PREFIX + "readproportion";
  static final String PAYLOAD = PREFIX + "payload";

  private static final Set<String> KNOWN =
      Set.of(
          INDEX,
          MAINTENANCE,
          CREATE,
          REGIONS,
          VALUES,
          DIMENSIONS,
          SELECTIVITY,
          BATCH,
          LIMIT,
          CONSISTENCY,
          READ,
          PAYLOAD);

  private final Properties properties;

  Settings(Properties properties) {
    this.properties = properties;
  }

  /**
   * Refuses names that nothing reads.
   *
   * @throws WorkloadException if a property begins as those of this binding and is none of them
   */
  void requireKnown() throws WorkloadException {
    Set<String> unknown =
        properties.stringPropertyNames().stream()
            .filter(n -> n.startsWith(PREFIX) && !KNOWN.contains(n))
            .collect(Collectors.toCollection(TreeSet::new));
    if (!unknown.isEmpty()) {
      throw new WorkloadException(
          "unknown properties " + unknown + "; known are " + new TreeSet<>(KNOWN));
    }
  }

  /** The column family of all fields. */
  String family() throws WorkloadException {
    String family = text(FAMILY, "");
    if (family.isEmpty()) {
      throw new WorkloadException("property " + FAMILY + " is missing: say the column family");
    }
    return family;
  }

  /** The table's name. */
  String table() {
    return text(CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT);
  }

  /** Settings of HBase, which are all properties that begin as they do. */
  Map<String, String> ofHBase() {
    return properties.stringPropertyNames().stream()
        .filter(n -> n.startsWith("hbase.") || n.startsWith("zookeeper."))
        .collect(Collectors.toMap(n -> n, properties::getProperty));
  }

  String text(String name, String otherwise) {
    return properties.getProperty(name, otherwise).strip();
  }

  boolean isTrue(String name, boolean otherwise) throws WorkloadException {
    String text = text(name, String.valueOf(otherwise));
    if (!text.equals("true") && !text.equals("false")) {
      throw wrong(name, text, "true or false");
    }
    return text.equals("true");
  }

  /** A whole number within bounds, both inclusive. */
  long number(String name, long otherwise, long least, long most) throws WorkloadException {
    String text = text(name, String.valueOf(otherwise));
    String expected = "a whole number from " + least + " to " + most;
    long number = parsed(name, text, Long::parseLong, expected);
    if (number < least || number > most) {
      throw wrong(name, text, expected);
    }
    return number;
  }

  /** A number from 0 to 1. */
  double fraction(String name, double otherwise) throws WorkloadException {
    String text = text(name, String.valueOf(otherwise));
    String expected = "a number from 0 to 1";
    double number = parsed(name, text, Double::parseDouble, expected);
    if (!(number >= 0 && number <= 1)) {
      throw wrong(name, text, expected);
    }
    return number;
  }

  private <T> T parsed(String name, String text, Function<String, T> parser, String expected)
      throws WorkloadException {
    try {
      return parser.apply(text);
    } catch (NumberFormatException e) {
      throw wrong(name, text, expected);
    }
  }

  /** The kind of index, or empty for none. */
  Optional<IndexKind> index(String otherwise) throws WorkloadException {
    String text = text(INDEX, otherwise);
    return text.equals("none") ? Optional.empty() : Optional.of(constant(INDEX, text, "none"));
  }

  private IndexKind constant(String name, String text, String orElse) throws WorkloadException {
    for (IndexKind kind : IndexKind.values()) {
      if (lower(kind).equals(text)) {
        return kind;
      }
    }
    throw wrong(name, text, orElse + " or one of " + names(IndexKind.values()));
  }

  Maintenance maintenance() throws WorkloadException {
    return oneOf(MAINTENANCE, Maintenance.DEFERRED, Maintenance.values());
  }

  /** How fresh statistics must be; as {@link Consistency} writes itself. */
  Consistency consistency() throws WorkloadException {
    String text = text(CONSISTENCY, Consistency.STRICT.toString());
    try {
      return Consistency.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrong(CONSISTENCY, text, "a consistency: " + e.getMessage());
    }
  }

  Durability durability() throws WorkloadException {
    String text = text("durability", Durability.USE_DEFAULT.name());
    for (Durability d : Durability.values()) {
      if (d.name().equals(text)) {
        return d;
      }
    }
    throw wrong("durability", text, "one of " + Arrays.toString(Durability.values()));
  }

  private <E extends Enum<E>> E oneOf(String name, E otherwise, E[] all) throws WorkloadException {
    String text = text(name, lower(otherwise));
    for (E e : all) {
      if (lower(e).equals(text)) {
        return e;
      }
    }
    throw wrong(name, text, "one of " + names(all));
  }

  private static String names(Enum<?>[] all) {
    return Arrays.stream(all).map(Settings::lower).collect(Collectors.joining(", "));
  }

  private static String lower(Enum<?> e) {
    return e.name().toLowerCase(Locale.ROOT);
  }

  private static WorkloadException wrong(String name, String text, String expected) {
    return new WorkloadException("property " + name + "=" + text + " is not " + expected);
  }
}
