package io.spyhop.cli.commands;

import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Parameters;

/** The parameters that name an index of a table. */
final class IndexName {
  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      converter = TableNameConverter.class,
      description = "The table.")
  private TableName table;

  @Parameters(index = "1", paramLabel = "NAME", description = "The index's name.")
  private String name;

  TableName table() {
    return table;
  }

  String name() {
    return name;
  }
}
