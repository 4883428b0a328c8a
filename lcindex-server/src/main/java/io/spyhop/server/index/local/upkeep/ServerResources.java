package io.spyhop.server.index.local.upkeep;

import io.spyhop.server.index.local.BuildSettings;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.remote.FileFetcher;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.runtime.ServerRuntime;
import java.io.IOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HStore;

/** A server's resources for the local indexes of its regions. Thread-safe. */
interface ServerResources {
  ServerRuntime runtime();

  ServerMetrics metrics();

  /** Whether index files can be kept. */
  boolean isUsable();

  /** Whether all servers keep index files in the same place. */
  boolean isShared();

  /** The directory of a region's index files, by its encoded name. */
  IndexDirectory directory(String region);

  BuildSettings buildSettings(HStore store);

  /** For files that are built while HFiles are written, of all regions together. */
  MemoryBudget streams();

  FileFetcher fetcher();

  /** The region servers that may have index files of a region, the likeliest first. */
  Iterable<FileFetcher.Server> otherServers(RegionInfo region) throws IOException;
}
