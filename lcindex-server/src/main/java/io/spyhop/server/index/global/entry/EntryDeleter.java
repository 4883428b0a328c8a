package io.spyhop.server.index.global.entry;

import io.spyhop.core.global.Entry;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Deletes entries from index tables. */
@FunctionalInterface
public interface EntryDeleter {
  /**
   * Returns, or throws, when all entries are deleted or can never be deleted by this call any more.
   *
   * @param base the region that the entries' rows belong to; the caller has the rows locked, and
   *     keeps them locked until this ends
   * @throws IOException if not all are deleted; any of them may be
   */
  void delete(HRegion base, TableName indexTable, List<Entry> entries) throws IOException;
}
