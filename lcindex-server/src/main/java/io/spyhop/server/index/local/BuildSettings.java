package io.spyhop.server.index.local;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/**
 * The settings of index file builds.
 *
 * @param conf the store's configuration
 * @param family whose compression, encoding and encryption the files take
 * @param memory bytes that sorting may hold before it spills
 * @param maxPackedRow rows that pack to more bytes are read from the region instead
 */
public record BuildSettings(
    Configuration conf, ColumnFamilyDescriptor family, long memory, int maxPackedRow) {}
