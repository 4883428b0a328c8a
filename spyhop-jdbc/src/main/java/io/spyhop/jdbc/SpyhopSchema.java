package io.spyhop.jdbc;

import com.google.common.collect.Maps;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The tables of a namespace that the caller may list, read anew each time. Thread-safe.
 *
 * <p>{@link UncheckedIOException} says that HBase cannot be asked.
 */
final class SpyhopSchema extends AbstractSchema {
  private final Connection connection;
  private final Spyhop spyhop;
  private final String namespace;

  SpyhopSchema(Connection connection, Spyhop spyhop, String namespace) {
    this.connection = connection;
    this.spyhop = spyhop;
    this.namespace = namespace;
  }

  /** A table is opened when it is asked for. */
  @Override
  protected Map<String, Table> getTableMap() {
    return Maps.asMap(names(), this::open);
  }

  private Set<String> names() {
    try (Admin admin = connection.getAdmin()) {
      return Arrays.stream(admin.listTableNames())
          .filter(t -> t.getNamespaceAsString().equals(namespace))
          .filter(t -> !IndexTable.isReserved(t))
          .map(TableName::getQualifierAsString)
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException("the tables of '" + namespace + "' cannot be listed", e);
    }
  }

  private Table open(String name) {
    TableName table =
        TableName.valueOf(
            namespace.equals(NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR)
                ? name
                : namespace + TableName.NAMESPACE_DELIM + name);
    try {
      IndexedTable indexed = spyhop.table(table);
      return SpyhopTable.of(indexed, indexed.currentTypes());
    } catch (IOException e) {
      throw new UncheckedIOException("the columns of table '" + table + "' cannot be read", e);
    }
  }
}
