package io.spyhop.ycsb;

import io.spyhop.client.Consistency;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Maintenance;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import site.ycsb.Client;
import site.ycsb.Workload;
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

  /** Numbers of YCSB's client and its core workload, with their least values. */
  private static final Map<String, Integer> WHOLE_NUMBERS =
      Map.ofEntries(
          Map.entry(Client.THREAD_COUNT_PROPERTY, 1),
          Map.entry(Client.TARGET_PROPERTY, 0),
          Map.entry(Client.MAX_EXECUTION_TIME, 0),
          Map.entry(Client.OPERATION_COUNT_PROPERTY, 0),
          Map.entry(Client.INSERT_COUNT_PROPERTY, 0),
          Map.entry("status.interval", 1),
          Map.entry(CoreWorkload.FIELD_COUNT_PROPERTY, 1),
          Map.entry(CoreWorkload.FIELD_LENGTH_PROPERTY, 1),
          Map.entry(CoreWorkload.MIN_FIELD_LENGTH_PROPERTY, 1),
          Map.entry(CoreWorkload.MIN_SCAN_LENGTH_PROPERTY, 1),
          Map.entry(CoreWorkload.MAX_SCAN_LENGTH_PROPERTY, 1),
          Map.entry(CoreWorkload.ZERO_PADDING_PROPERTY, 1),
          Map.entry(CoreWorkload.INSERTION_RETRY_LIMIT, 0),
          Map.entry(CoreWorkload.INSERTION_RETRY_INTERVAL, 0));

  /** The same, which a process may have more of than an int can count. */
  private static final List<String> RECORDS =
      List.of(Client.RECORD_COUNT_PROPERTY, Workload.INSERT_START_PROPERTY);

  /** Weights of YCSB's core workload: parts of their sum. */
  private static final List<String> WEIGHTS =
      List.of(
          CoreWorkload.READ_PROPORTION_PROPERTY,
          CoreWorkload.UPDATE_PROPORTION_PROPERTY,
          CoreWorkload.INSERT_PROPORTION_PROPERTY,
          CoreWorkload.SCAN_PROPORTION_PROPERTY,
          CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY);

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

  /**
   * Refuses numbers of YCSB's own that are none; YCSB answers them with a stack trace.
   *
   * @throws WorkloadException that names the first
   */
  void requireNumbers() throws WorkloadException {
    for (Map.Entry<String, Integer> e : WHOLE_NUMBERS.entrySet()) {
      number(e.getKey(), e.getValue(), e.getValue(), Integer.MAX_VALUE);
    }
    for (String name : RECORDS) {
      number(name, 0, 0, Long.MAX_VALUE);
    }
    for (String name : WEIGHTS) {
      decimal(name, 0, Double.MAX_VALUE, "a number from 0");
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
  TableName table() throws WorkloadException {
    String text = text(CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT);
    try {
      return TableName.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw wrong(CoreWorkload.TABLENAME_PROPERTY, text, "a table's name: " + e.getMessage());
    }
  }

  /** An object of the class that a property names. */
  <T> T instance(String name, Class<T> type) throws WorkloadException {
    try {
      return constructor(name, "", type).newInstance();
    } catch (ReflectiveOperationException e) {
      throw new WorkloadException("property " + name + ": " + type + " cannot be made", e);
    }
  }

  /** The constructor of the class that a property names. */
  <T> Constructor<? extends T> constructor(
      String name, String otherwise, Class<T> type, Class<?>... parameters)
      throws WorkloadException {
    String text = text(name, otherwise);
    try {
      return Class.forName(text).asSubclass(type).getConstructor(parameters);
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw wrong(name, text, "a class that is a " + type.getSimpleName());
    }
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
    return decimal(name, otherwise, 1, "a number from 0 to 1");
  }

  private double decimal(String name, double otherwise, double most, String expected)
      throws WorkloadException {
    String text = text(name, String.valueOf(otherwise));
    double number = parsed(name, text, Double::parseDouble, expected);
    if (!(number >= 0 && number <= most)) {
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
