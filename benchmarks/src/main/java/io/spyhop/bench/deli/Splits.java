package io.spyhop.bench.deli;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Splits regions and waits for it. Stateless. */
final class Splits {
  private static final int LIMIT_SECONDS = 60;

  private Splits() {}

  /** Makes a region begin at a row, if none does. */
  static void split(Admin admin, TableName table, byte[] row) throws IOException {
    for (RegionInfo region : admin.getRegions(table)) {
      if (region.containsRow(row) && !Arrays.equals(region.getStartKey(), row)) {
        await(admin, region, row);
        return;
      }
    }
  }

  private static void await(Admin admin, RegionInfo region, byte[] row) throws IOException {
    try {
      admin.splitRegionAsync(region.getRegionName(), row).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while splitting " + region, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("region " + region.getRegionNameAsString() + " was not split", e);
    }
  }
}
