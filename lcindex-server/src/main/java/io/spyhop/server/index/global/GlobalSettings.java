package io.spyhop.server.index.global;

import io.spyhop.core.conf.CheckedSettings;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The server's settings for global indexes, {@code spyhop.global.*} in hbase-site.xml;
 * docs/operations.md explains them.
 *
 * @param writeMillis how long a base write may wait for its entries
 * @param buildMillis how often regions that are not built are looked at
 * @param buildBytes how many bytes all builds read a second at most
 * @param lookMillis how often regions look whether what they have built is not to be built again
 * @param loads how many bulk loads are read for their entries at a time
 */
public record GlobalSettings(
    long writeMillis, long buildMillis, long buildBytes, long lookMillis, int loads) {
  /** The setting of {@link #handlers(Configuration)}. */
  public static final String HANDLERS = "spyhop.global.handlers";

  private static final int MOST_HANDLERS = 1_000;
  private static final int MOST_MEGABYTES = 100_000;
  private static final int MEGABYTE_BITS = 20;

  /** Reads the settings; absent and wrong ones have their defaults. */
  public static GlobalSettings of(Configuration conf) {
    CheckedSettings set = new CheckedSettings(conf);
    return new GlobalSettings(
        set.millis("spyhop.global.write.ms", 900, 1),
        set.millis("spyhop.global.build.ms", 500, 1),
        (long) set.integer("spyhop.global.build.mb", 100, 1, MOST_MEGABYTES) << MEGABYTE_BITS,
        set.millis("spyhop.global.look.ms", 10_000, 1),
        set.integer("spyhop.global.loads", Math.max(1, ofHBase(conf) / 2), 1, MOST_HANDLERS));
  }

  /** How many handlers serve writes to index tables. */
  public static int handlers(Configuration conf) {
    return new CheckedSettings(conf).integer(HANDLERS, 10, 1, MOST_HANDLERS);
  }

  /** How many handlers HBase has for requests. */
  public static int ofHBase(Configuration conf) {
    return conf.getInt(
        HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
  }
}
