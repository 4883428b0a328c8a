package io.spyhop.cli.commands;

import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Parameters;

/** The parameters that name a column family. */
final class ViewTarget {
  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      description = "The table, with its namespace unless that is 'default'.",
      converter = TableNameConverter.class)
  private TableName table;

  @Parameters(index = "1", paramLabel = "FAMILY", description = "The column family.")
  private String family;

  TableName table() {
    return table;
  }

  String family() {
    return family;
  }

  @Override
  public String toString() {
    return "family '" + family + "' of table '" + table + "'";
  }
}
