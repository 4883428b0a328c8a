package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/** One scanner of a view in their place, where there are two or more. */
class ViewContractTest extends FileScannersContract {
  @Override
  List<KeyValueScanner> inPlace(HRegion region, List<KeyValueScanner> files, long readPoint)
      throws IOException {
    LocalRegions.view(region);
    ViewStore store = (ViewStore) region.getStore(LocalRegions.F);
    List<KeyValueScanner> scanners =
        store.throughView(store::getStorefiles, true, readPoint, false);
    assertThat(scanners == null).isEqualTo(files.size() < 2);
    if (scanners == null) {
      return files;
    }
    files.forEach(KeyValueScanner::close);
    scanners.removeIf(
        s -> {
          if (!s.isFileScanner()) {
            s.close();
          }
          return !s.isFileScanner();
        });
    assertThat(scanners).singleElement().isInstanceOf(ViewScanner.class);
    return scanners;
  }
}
