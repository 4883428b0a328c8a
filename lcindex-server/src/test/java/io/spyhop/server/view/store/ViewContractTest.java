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
    List<KeyValueScanner> scanners =
        ViewScanner.replace(files, (ViewStore) region.getStore(LocalRegions.F), readPoint, true);
    assertThat(scanners.stream().filter(ViewScanner.class::isInstance).count())
        .isEqualTo(files.size() < 2 ? 0 : 1);
    return scanners;
  }
}
