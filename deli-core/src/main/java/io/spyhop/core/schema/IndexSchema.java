package io.spyhop.core.schema;

import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The indexes of one table, as its descriptor holds them. Immutable, thread-safe.
 *
 * <p>A definition that cannot be read (an unknown version, a hand edit gone wrong) does not hide
 * the others: it is listed in {@link #unreadable()} and counts as absent, so that queries answer
 * without it.
 */
public final class IndexSchema {
  /** What the descriptor keys of definitions start with; the index's name follows. */
  public static final String KEY_PREFIX = "spyhop.index.";

  private final Map<String, IndexDefinition> byName;
  private final Map<String, String> unreadable;

  private IndexSchema(Map<String, IndexDefinition> byName, Map<String, String> unreadable) {
    this.byName = Collections.unmodifiableMap(byName);
    this.unreadable = Collections.unmodifiableMap(unreadable);
  }

  /** The definitions in a table descriptor. */
  public static IndexSchema of(TableDescriptor table) {
    Map<String, IndexDefinition> byName = new TreeMap<>();
    Map<String, String> unreadable = new TreeMap<>();
    table
        .getValues()
        .forEach(
            (k, v) -> {
              String key = Bytes.toString(k.copyBytes());
              if (key.startsWith(KEY_PREFIX)) {
                read(key.substring(KEY_PREFIX.length()), v.copyBytes(), byName, unreadable);
              }
            });
    return new IndexSchema(byName, unreadable);
  }

  /** A schema of these definitions. */
  public static IndexSchema of(Collection<IndexDefinition> definitions) {
    Map<String, IndexDefinition> byName = new TreeMap<>();
    definitions.forEach(d -> byName.put(d.name(), d));
    return new IndexSchema(byName, new TreeMap<>());
  }

  private static void read(
      String name,
      byte[] text,
      Map<String, IndexDefinition> byName,
      Map<String, String> unreadable) {
    try {
      byName.put(name, DefinitionText.parse(name, Bytes.toString(text)));
    } catch (InvalidIndexException e) {
      unreadable.put(name, e.getMessage());
    } catch (RuntimeException e) {
      unreadable.put(name, "index '" + name + "': cannot read its definition: " + e);
    }
  }

  /** The definitions, ordered by name. */
  public List<IndexDefinition> indexes() {
    return new ArrayList<>(byName.values());
  }

  /** The local indexes alone; what cannot be read counts as local. */
  public IndexSchema locals() {
    return only(IndexKind.LOCAL);
  }

  /** The global indexes alone. */
  public IndexSchema globals() {
    return only(IndexKind.GLOBAL);
  }

  /** What has statistics and no index. */
  public IndexSchema statistics() {
    return only(IndexKind.STATS);
  }

  private IndexSchema only(IndexKind kind) {
    Map<String, IndexDefinition> some = new TreeMap<>(byName);
    some.values().removeIf(d -> d.kind() != kind);
    return new IndexSchema(some, kind == IndexKind.LOCAL ? unreadable : Map.of());
  }

  /** Names of definitions that cannot be read, with the reason. */
  public Map<String, String> unreadable() {
    return unreadable;
  }

  /** Whether there is no definition at all, readable or not. */
  public boolean isEmpty() {
    return byName.isEmpty() && unreadable.isEmpty();
  }

  /** The index of that name. */
  public Optional<IndexDefinition> index(String name) {
    Objects.requireNonNull(name, "the name of an index is null");
    return Optional.ofNullable(byName.get(name));
  }

  /** The indexes of columns of that family. */
  public List<IndexDefinition> indexesOf(byte[] family) {
    return byName.values().stream()
        .filter(d -> Bytes.equals(d.column().family(), family))
        .collect(Collectors.toList());
  }

  /** The declared type of a column; two indexes of one column have the same type. */
  public Optional<ValueType> typeOf(ColumnName column) {
    return byName.values().stream()
        .filter(d -> d.column().equals(column))
        .map(IndexDefinition::type)
        .findFirst();
  }

  /** The declared columns in order, each once. */
  public List<ColumnName> columns() {
    return byName.values().stream()
        .map(IndexDefinition::column)
        .distinct()
        .sorted()
        .collect(Collectors.toList());
  }

  /**
   * A table descriptor with one more index.
   *
   * @throws InvalidIndexException if the name is taken, or it does not fit as {@link
   *     #requireFitting} says
   */
  public static TableDescriptor withIndex(TableDescriptor table, IndexDefinition index) {
    IndexSchema schema = of(table);
    checkFits(table, schema, index);
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(KEY_PREFIX + index.name(), DefinitionText.format(index))
        .build();
  }

  private static void checkFits(TableDescriptor table, IndexSchema schema, IndexDefinition index) {
    Objects.requireNonNull(index, "the definition of an index is null");
    String on = "table '" + table.getTableName() + "'";
    if (table.getTableName().isSystemTable()) {
      throw new InvalidIndexException(on + " is HBase's own and cannot have indexes");
    }
    if (schema.byName.containsKey(index.name()) || schema.unreadable.containsKey(index.name())) {
      throw new InvalidIndexException(on + " already has an index '" + index.name() + "'");
    }
    checkColumn(table, schema, index, "");
  }

  /**
   * Checks that definitions fit their table and each other, as {@link #withIndex} does for one that
   * is added: descriptors can be written by hand.
   *
   * @throws InvalidIndexException if a family is not there, or its blocks are too large for the
   *     layout, or indexes read a column with two types
   */
  public static void requireFitting(TableDescriptor table) {
    IndexSchema schema = of(table);
    for (IndexDefinition index : schema.indexes()) {
      checkColumn(table, schema, index, "index '" + index.name() + "': ");
    }
  }

  private static void checkColumn(
      TableDescriptor table, IndexSchema schema, IndexDefinition index, String before) {
    String on = before + "table '" + table.getTableName() + "'";
    ColumnFamilyDescriptor family = table.getColumnFamily(index.column().family());
    if (family == null) {
      throw new InvalidIndexException(
          on + " has no column family '" + Bytes.toStringBinary(index.column().family()) + "'");
    }
    if (index.kind() == IndexKind.LOCAL
        && index.local().layout() == Layout.COLUMNAR
        && family.getBlocksize() > Layout.MAX_BLOCK_BYTES) {
      throw new InvalidIndexException(
          on
              + " has BLOCKSIZE "
              + family.getBlocksize()
              + " in column family '"
              + family.getNameAsString()
              + "', more than the "
              + Layout.MAX_BLOCK_BYTES
              + " that a COLUMNAR layout allows: take CLUSTERING, or smaller blocks");
    }
    Optional<ValueType> declared = schema.typeOf(index.column());
    if (declared.isPresent() && declared.get() != index.type()) {
      throw new InvalidIndexException(
          on
              + " declares column "
              + index.column()
              + " as "
              + declared.get()
              + ", not "
              + index.type());
    }
  }

  /**
   * A table descriptor without that index.
   *
   * @throws InvalidIndexException if there is no such index
   */
  public static TableDescriptor withoutIndex(TableDescriptor table, String name) {
    if (table.getValue(KEY_PREFIX + name) == null) {
      throw new InvalidIndexException(
          "table '" + table.getTableName() + "' has no index '" + name + "'");
    }
    return TableDescriptorBuilder.newBuilder(table).removeValue(KEY_PREFIX + name).build();
  }

  /** The descriptor's definitions as they are written, readable or not, by their keys. */
  public static Map<String, String> texts(TableDescriptor table) {
    Map<String, String> texts = new TreeMap<>();
    table
        .getValues()
        .forEach(
            (k, v) -> {
              String key = Bytes.toString(k.copyBytes());
              if (key.startsWith(KEY_PREFIX)) {
                texts.put(key, Bytes.toString(v.copyBytes()));
              }
            });
    return texts;
  }

  /** A table descriptor without any definition: the rest is HBase's and others'. */
  public static TableDescriptor withoutIndexes(TableDescriptor table) {
    TableDescriptorBuilder rest = TableDescriptorBuilder.newBuilder(table);
    texts(table).keySet().forEach(rest::removeValue);
    return rest.build();
  }
}
