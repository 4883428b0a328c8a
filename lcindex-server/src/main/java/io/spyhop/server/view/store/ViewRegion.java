package io.spyhop.server.view.store;

import io.spyhop.core.schema.ViewOption;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.wal.WAL;

/**
 * HBase's region, with stores that have sorted views where a family asks for them, and whose
 * reversed scans lose nothing. Named by {@code hbase.hregion.impl}; HBase makes it of every region,
 * those of its own tables included.
 */
public class ViewRegion extends HRegion {
  /** Called by HBase. */
  @SuppressWarnings("deprecation")
  public ViewRegion(
      Path tableDir,
      WAL wal,
      FileSystem fs,
      Configuration confParam,
      RegionInfo regionInfo,
      TableDescriptor htd,
      RegionServerServices rsServices) {
    super(tableDir, wal, fs, confParam, regionInfo, htd, rsServices);
  }

  @Override
  protected HStore instantiateHStore(ColumnFamilyDescriptor family, boolean warmup)
      throws IOException {
    if (ViewOption.isOn(family) && ViewOption.refusal(family).isEmpty()) {
      return new ViewStore(this, family, conf, warmup);
    }
    return family.isMobEnabled()
        ? super.instantiateHStore(family, warmup)
        : new BackwardStore(this, family, conf, warmup);
  }
}
