package io.spyhop.server.view.store;

import java.util.List;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/** HBase's own scanners. */
class HeapContractTest extends FileScannersContract {
  @Override
  List<KeyValueScanner> inPlace(HRegion region, List<KeyValueScanner> files, long readPoint) {
    return files;
  }
}
