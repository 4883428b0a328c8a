package io.spyhop.jdbc;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.schema.Table;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The tables of a namespace, without those of global indexes. Thread-safe.
 *
 * <p>{@link UncheckedIOException} says that HBase cannot be asked.
 */
final class NamespaceTables implements SpyhopSchema.Tables {
  private final Connection connection;
  private final Spyhop spyhop;
  private final String namespace;

  NamespaceTables(Connection connection, Spyhop spyhop, String namespace) {
    this.connection = connection;
    this.spyhop = spyhop;
    this.namespace = namespace;
  }

  @Override
  public Set<String> names() {
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

  @Override
  public Table open(String name) {
    if (!isName(name)) {
      return null;
    }
    TableName table = TableName.valueOf(namespace, name);
    if (IndexTable.isReserved(table)) {
      return null;
    }
    try {
      IndexedTable indexed = spyhop.table(table);
      return SpyhopTable.of(indexed, indexed.currentTypes());
    } catch (TableNotFoundException e) {
      return null; // which is the answer
    } catch (IOException e) {
      throw new UncheckedIOException("the columns of table '" + table + "' cannot be read", e);
    }
  }

  private static boolean isName(String name) {
    try {
      TableName.isLegalTableQualifierName(name.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
