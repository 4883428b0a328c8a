package io.spyhop.jdbc;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaVersion;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.IgnoreCaseLookup;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;

/**
 * Tables for statements. Calcite makes a snapshot for each statement, and asks it for a table again
 * and again: it opens each once, and lists none. Thread-safe.
 */
final class SpyhopSchema extends AbstractSchema {
  /** The tables that there are now. Thread-safe. */
  interface Tables {
    /** The names of all. */
    Set<String> names();

    /** A table with its columns; null if there is none. */
    Table open(String name);
  }

  private final Tables tables;
  private final Function<String, Table> opener;

  private SpyhopSchema(Tables tables, Function<String, Table> opener) {
    this.tables = tables;
    this.opener = opener;
  }

  static SpyhopSchema of(Tables tables) {
    return new SpyhopSchema(tables, tables::open);
  }

  @Override
  public Schema snapshot(SchemaVersion version) {
    Map<String, Optional<Table>> opened = new ConcurrentHashMap<>();
    return new SpyhopSchema(
        tables,
        name ->
            opened.computeIfAbsent(name, n -> Optional.ofNullable(tables.open(n))).orElse(null));
  }

  @Override
  public Lookup<Table> tables() {
    return new IgnoreCaseLookup<>() {
      @Override
      public Table get(String name) {
        return opener.apply(name);
      }

      @Override
      public Set<String> getNames(LikePattern pattern) {
        return tables.names().stream()
            .filter(n -> pattern.matcher().apply(n))
            .collect(Collectors.toUnmodifiableSet());
      }
    };
  }
}
