package io.spyhop.server.index.global;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The server's settings for global indexes, {@code spyhop.global.*} in hbase-site.xml;
 * docs/operations.md explains them.
 *
 * @param writeMillis how long a base write may wait for its entries
 * @param graceMillis how long an entry stays after it was found obsolete
 * @param buildMillis how often regions that are not built are looked at
 * @param lookMillis how often regions look whether what they have built is not to be built again
 * @param loads how many bulk loads are read for their entries at a time
 */
public record GlobalSettings(
    long writeMillis, long graceMillis, long buildMillis, long lookMillis, int loads) {
  /** Reads the settings. */
  public static GlobalSettings of(Configuration conf) {
    return new GlobalSettings(
        conf.getLong("spyhop.global.write.ms", 900),
        conf.getLong("spyhop.global.grace.ms", 30_000),
        conf.getLong("spyhop.global.build.ms", 500),
        conf.getLong("spyhop.global.look.ms", 10_000),
        Math.max(1, conf.getInt("spyhop.global.loads", handlers(conf) / 2)));
  }

  private static int handlers(Configuration conf) {
    return conf.getInt(
        HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
  }
}
