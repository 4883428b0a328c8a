package io.spyhop.server.global;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;

/** Writes entries to index tables, and deletes them. */
@FunctionalInterface
public interface EntryWriter {
  /**
   * Returns when all mutations are acknowledged.
   *
   * @throws IOException if any may not have been applied; all of them may be sent again
   */
  void write(TableName indexTable, List<? extends Mutation> mutations) throws IOException;
}
