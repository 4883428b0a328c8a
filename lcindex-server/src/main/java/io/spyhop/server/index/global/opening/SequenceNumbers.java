package io.spyhop.server.index.global.opening;

import io.spyhop.server.runtime.Complaints;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSUtils;
import org.apache.hadoop.hbase.wal.WALSplitUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequence numbers that regions leave in their directories, for the next opening. Stateless.
 */
public final class SequenceNumbers {
  private static final Logger LOG = LoggerFactory.getLogger(SequenceNumbers.class);

  /**
   * How far a region that was truncated goes beyond the number of its opening before: farther than
   * any opening writes, and its edits in the servers' logs are told from later ones.
   */
  private static final long BEYOND = 1L << 44;

  private SequenceNumbers() {}

  /** The last sequence number that a region has left in its directory; -1 if there is none. */
  public static long last(Configuration conf, RegionInfo region) throws IOException {
    TableName table = region.getTable();
    String name = region.getEncodedName();
    FileSystem logs = CommonFSUtils.getWALFileSystem(conf);
    FileSystem files = CommonFSUtils.getRootDirFileSystem(conf);
    Path directory = FSUtils.getRegionDirFromRootDir(CommonFSUtils.getRootDir(conf), region);
    // HBase looks for it in these three places, and in the third for what older versions left.
    return LongStream.of(
            WALSplitUtil.getMaxRegionSequenceId(
                logs, CommonFSUtils.getWALRegionDir(conf, table, name)),
            WALSplitUtil.getMaxRegionSequenceId(files, directory),
            WALSplitUtil.getMaxRegionSequenceId(
                logs, CommonFSUtils.getWrongWALRegionDir(conf, table, name)))
        .max()
        .getAsLong();
  }

  /**
   * Lets a region that is about to open go on behind the sequence numbers of its opening before: in
   * a region that was truncated HBase begins anew, and hbase:meta keeps the number of before until
   * one is not lower, so that it does not say which opening is the present one. Called before HBase
   * looks for the number, by the server that opens the region. Never throws: an opening with a
   * lower number is right, and not believed.
   *
   * @param replicated whether the table is: serial replication waits for the numbers up to that of
   *     an opening, so that none may be left out
   */
  public static void goOn(
      Configuration conf,
      RegionInfo region,
      LastOpening before,
      boolean replicated,
      Complaints complaints) {
    OptionalLong opened = before.seqNumOf(region.getEncodedName());
    if (opened.isEmpty()) {
      return;
    }
    try {
      long last = last(conf, region);
      // The opening that follows will have a number that is higher by one at least.
      if (last + 1 < opened.getAsLong()) {
        long next = opened.getAsLong() + (replicated ? 0 : BEYOND);
        LOG.info(
            "{} goes on from sequence number {}: hbase:meta says {}, and its directory {}",
            region.getRegionNameAsString(),
            next,
            opened.getAsLong(),
            last);
        FileSystem files = CommonFSUtils.getWALFileSystem(conf);
        Path directory =
            CommonFSUtils.getWALRegionDir(conf, region.getTable(), region.getEncodedName());
        WALSplitUtil.writeRegionSequenceIdFile(files, directory, next);
      }
    } catch (IOException | RuntimeException e) {
      complaints.warn(
          LOG,
          "Raising sequence numbers",
          "indexes may be building until regions open again",
          region.getTable(),
          region,
          e);
    }
  }
}
