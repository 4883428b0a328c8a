package io.spyhop.client;

import io.spyhop.core.bucket.Bucket;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;

/**
 * One bucket of a table, and where it is.
 *
 * @param server empty if no server has it now
 * @param bytes of its HFiles, as its server told last; empty if it did not
 */
public record BucketInfo(Bucket bucket, Optional<ServerName> server, Optional<Long> bytes) {}
