package io.spyhop.server.index.stats;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/** HBase's store engine, which tells when a store is about to have a new HFile. */
public final class WatchedEngine extends DefaultStoreEngine {
  /** What happens in between, by table. */
  static final Map<TableName, Work> BEFORE = new ConcurrentHashMap<>();

  private volatile TableName table;

  /** Work of a test. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  @Override
  protected void createComponents(Configuration conf, HStore store, CellComparator comparator)
      throws IOException {
    table = store.getTableName();
    super.createComponents(conf, store, comparator);
  }

  @Override
  public void addStoreFiles(Collection<HStoreFile> files, IOExceptionRunnable actionAfterAdding)
      throws IOException {
    Work work = BEFORE.get(table);
    if (work != null) {
      work.run();
    }
    super.addStoreFiles(files, actionAfterAdding);
  }
}
