package io.spyhop.server.index.global.opening;

import io.spyhop.server.runtime.Complaints;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSUtils;
import org.apache.hadoop.hbase.wal.WALSplitUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HFiles that HBase makes of a lost server's log where {@code hbase.wal.split.to.hfile} is set. It
 * adds them to stores without asking anybody, and whole: with cells that have been in HFiles since,
 * and were dropped there by a compaction, which have no entries any more. Stateless.
 */
public final class RecoveredFiles {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredFiles.class);

  private RecoveredFiles() {}

  /**
   * Whether any wait to be added to a region that is about to open. Never throws; what cannot be
   * told is yes.
   *
   * @param families where to look
   */
  public static boolean areThere(
      Configuration conf, RegionInfo region, Set<byte[]> families, Complaints complaints) {
    try {
      FileSystem files = CommonFSUtils.getRootDirFileSystem(conf);
      Path directory = FSUtils.getRegionDirFromRootDir(CommonFSUtils.getRootDir(conf), region);
      for (byte[] family : families) {
        FileStatus[] found =
            WALSplitUtil.getRecoveredHFiles(files, directory, Bytes.toString(family));
        if (found != null && found.length > 0) {
          LOG.info("{} restores HFiles made of a log; its global indexes are built again", region);
          return true;
        }
      }
      return false;
    } catch (IOException | RuntimeException e) {
      complaints.warn(
          LOG,
          "Looking for restored files",
          "global indexes are built again",
          region.getTable(),
          region,
          e);
      return true;
    }
  }
}
