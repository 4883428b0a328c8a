package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/** Looks entries up in an index table. */
@FunctionalInterface
public interface EntryLookup {
  /** For each entry whether the index table has it, with its timestamp. */
  boolean[] exist(TableName indexTable, List<Entry> entries) throws IOException;
}
