package io.spyhop.cli.commands;

import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a table's name, {@code namespace:table} or {@code table}. */
final class TableNameConverter implements ITypeConverter<TableName> {
  @Override
  public TableName convert(String value) {
    try {
      return TableName.valueOf(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "'" + value + "' cannot be a table's name: " + e.getMessage());
    }
  }
}
