package io.spyhop.server.index.local;

import io.spyhop.server.view.store.RecentBlocks;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/**
 * Settings for reading index files and HFiles of one store.
 *
 * @param recent blocks of HFiles that scans have just read
 * @param cacheBlocks whether blocks that are read go to the block cache
 */
public record ReadSettings(
    CacheConfig cache, RecentBlocks recent, Configuration conf, boolean cacheBlocks) {}
