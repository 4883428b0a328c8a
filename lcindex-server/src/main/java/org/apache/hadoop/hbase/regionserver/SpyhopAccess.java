package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.BloomFilter;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The few package-private members of HBase that Spyhop needs; with {@code SpyhopBlocks} the only
 * class in an HBase package, and the reason why the jar belongs into the region server's {@code
 * lib/}. Stateless.
 */
public final class SpyhopAccess {
  private static final ToLongFunction<ScannerContext> BLOCK_BYTES = blockBytes();

  /** HBase 2.5 counts no blocks of calls: what does must not be linked there. */
  private static final boolean CALLS_COUNT =
      has(RpcCallContext.class, "incrementBlockBytesScanned");

  private SpyhopAccess() {}

  /** Whether the memstores of a server have all the memory that they may have. */
  public static boolean isShortOfMemory(RegionServerAccounting memstores) {
    return memstores.isAboveHighWaterMark() != FlushType.NORMAL;
  }

  /**
   * The settings of a region: its server's and its table's. Nobody may write to them. {@link
   * HRegion#getReadOnlyConfiguration} makes a new object at each call, and enters it in a list of
   * all of the JVM, under a lock.
   */
  public static Configuration configuration(HRegion region) {
    return region.conf;
  }

  /** The same of a store, which has its family's settings, too. */
  public static Configuration configuration(HStore store) {
    return store.conf;
  }

  /** Counts a returned row towards the limits of the call, as a region's own scanner does. */
  public static void countRow(ScannerContext context, Iterable<Cell> cells) {
    int count = 0;
    long data = 0;
    long heap = 0;
    for (Cell cell : cells) {
      count++;
      data += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      heap += cell.heapSize();
    }
    context.incrementBatchProgress(count);
    context.incrementSizeProgress(data, heap);
  }

  /** A context that limits nothing. */
  public static ScannerContext unlimited() {
    return ScannerContext.newBuilder().build();
  }

  /** A context that limits the time alone, as a call's does, and has metrics if that has. */
  public static ScannerContext timeOf(ScannerContext context) {
    ScannerContext.LimitScope rows = ScannerContext.LimitScope.BETWEEN_ROWS;
    ScannerContext.Builder time =
        ScannerContext.newBuilder().setTrackMetrics(context.isTrackingMetrics());
    return context.hasTimeLimit(rows)
        ? time.setTimeLimit(rows, context.getTimeLimit()).build()
        : time.build();
  }

  /** A context that limits the time alone, from now on. */
  public static ScannerContext timeOf(long millis) {
    return ScannerContext.newBuilder()
        .setTimeLimit(
            ScannerContext.LimitScope.BETWEEN_ROWS, EnvironmentEdgeManager.currentTime() + millis)
        .build();
  }

  /**
   * The bytes of all blocks that were read with a context, whatever came of their cells; -1 in
   * HBase 2.5, which does not count them.
   */
  public static long blockBytes(ScannerContext context) {
    return BLOCK_BYTES.applyAsLong(context);
  }

  /** HBase 2.5 lacks the method: it must not be linked there. */
  private static ToLongFunction<ScannerContext> blockBytes() {
    return has(ScannerContext.class, "getBlockSizeProgress")
        ? ScannerContext::getBlockSizeProgress
        : context -> -1;
  }

  private static boolean has(Class<?> of, String method) {
    return Arrays.stream(of.getDeclaredMethods()).anyMatch(m -> m.getName().equals(method));
  }

  /**
   * Counts a block that Spyhop reads towards the quotas of the user whose call this thread serves,
   * as HBase's scanners do with those that they read. Jobs serve no call.
   *
   * @param bytes uncompressed, without the header, wherever the block was
   */
  public static void countBlock(int bytes) {
    if (CALLS_COUNT) {
      RpcServer.getCurrentCall().ifPresent(call -> call.incrementBlockBytesScanned(bytes));
    }
  }

  /** Counts the block of a scanner's current cell, once, for who takes its cells from it. */
  public static void countBlock(KeyValueScanner scanner) {
    if (CALLS_COUNT) {
      scanner.recordBlockSize(SpyhopAccess::countBlock);
    }
  }

  /** The bytes of all blocks that were read so far for the call that this thread serves. */
  public static long blockBytesOfCall() {
    Optional<RpcCall> call = CALLS_COUNT ? RpcServer.getCurrentCall() : Optional.empty();
    return call.isPresent() ? call.get().getBlockBytesScanned() : 0;
  }

  /** Counts bytes of blocks that were read with other contexts, or with none. */
  public static void addBlockBytes(ScannerContext context, long more) {
    if (CALLS_COUNT && more > 0) {
      context.incrementBlockProgress((int) Math.min(Integer.MAX_VALUE, more));
    }
  }

  /** Counts rows that were read for a scan, in its metrics if it has any. */
  public static void countScanned(ScannerContext context, long rows) {
    if (context.isTrackingMetrics()) {
      context.getMetrics().countOfRowsScanned.addAndGet(rows);
    }
  }

  /** Adds the metrics of what was read with another context. */
  public static void addMetrics(ScannerContext context, ScannerContext other) {
    if (context.isTrackingMetrics()) {
      other.getMetrics().getMetricsMap().forEach(context.getMetrics()::addToCounter);
    }
  }

  /**
   * The rows that a call has handed out so far, as far as its limits go.
   *
   * @param cells of the row that was begun
   * @param data bytes of all cells
   * @param heap bytes that they take in memory
   */
  public record HandedOut(int cells, long data, long heap) {
    /** In a call, now. */
    public static HandedOut in(ScannerContext context) {
      return new HandedOut(
          context.getBatchProgress(), context.getDataSizeProgress(), context.getHeapSizeProgress());
    }

    /** Has the call forget what was read since, but for its blocks. */
    public void restore(ScannerContext context) {
      context.setProgress(cells, data, heap);
    }
  }

  /** Whether the time of the call, or what it may send or read, is used up. */
  public static boolean isUsedUp(ScannerContext context) {
    return isTimeUp(context) || context.checkSizeLimit(ScannerContext.LimitScope.BETWEEN_ROWS);
  }

  /** Whether the time of the call is used up. */
  public static boolean isTimeUp(ScannerContext context) {
    return context.checkTimeLimit(ScannerContext.LimitScope.BETWEEN_ROWS);
  }

  /** Says between rows whether more follow. */
  public static boolean setMore(ScannerContext context, boolean more) {
    context.setScannerState(
        more ? ScannerContext.NextState.MORE_VALUES : ScannerContext.NextState.NO_MORE_VALUES);
    return more;
  }

  /**
   * Has a server that a region was moved away from, and has come back to, forget where it went:
   * what it says of that after the region has left it for good would be older than what others say,
   * and clients believe it (docs/decisions/0007).
   */
  public static void forgetMove(RegionServerServices server, RegionInfo region) {
    if (server instanceof HRegionServer one) {
      one.removeFromMovedRegions(region.getEncodedName());
    }
  }

  /** Whether a limit ended the last call within a row, of which more cells follow. */
  public static boolean isMidRow(ScannerContext context) {
    return context.mayHaveMoreCellsInRow();
  }

  /** Whether a scanner is the region's own, and no other coprocessor has put one in its place. */
  public static boolean isRegionsOwn(RegionScanner scanner) {
    return scanner instanceof RegionScannerImpl;
  }

  /** The reader behind a file scanner. */
  public static StoreFileReader reader(StoreFileScanner scanner) {
    return scanner.getReader();
  }

  /** To a cell or the next one, from where the scanner is before it; false behind the last. */
  public static boolean reseek(HFileScanner file, Cell cell) throws IOException {
    return StoreFileScanner.reseekAtOrAfter(file, cell);
  }

  /** Keeps a reader's file until {@link #letGo}, as a scanner of it does. */
  public static void hold(StoreFileReader reader) {
    reader.incrementRefCount();
  }

  /** Ends {@link #hold}. */
  public static void letGo(StoreFileReader reader) {
    reader.readCompleted();
  }

  /**
   * Whether a file may have something for a scan, by its time range and bloom filter, as HBase asks
   * its scanner.
   *
   * @param columns of the file's family; null for all
   * @param oldestUnexpired timestamps of files with nothing newer have expired
   */
  public static boolean mayHave(
      StoreFileReader reader,
      Scan scan,
      TimeRange range,
      SortedSet<byte[]> columns,
      long oldestUnexpired) {
    return reader.passesTimerangeFilter(range, oldestUnexpired)
        && reader.passesBloomFilter(scan, columns);
  }

  /** The oldest timestamp of a file's cells; as old as can be if it does not say. */
  public static long oldestTimestamp(StoreFileReader reader) {
    return reader.timeRange == null ? Long.MIN_VALUE : reader.timeRange.getMin();
  }

  /** The order in which HBase ranks a store's files, the newest last. */
  public static Comparator<HStoreFile> byAge() {
    return StoreFileComparators.SEQ_ID;
  }

  /**
   * The sequence id that HBase has every cell of a bulk-loaded file show, which is -1 where the
   * load was given none; empty if cells show their own.
   */
  public static OptionalLong shownSequence(StoreFileReader reader) {
    return reader.isBulkLoaded() && !reader.isSkipResetSeqId()
        ? OptionalLong.of(reader.getSequenceID())
        : OptionalLong.empty();
  }

  /** The names of the HFiles that a compaction made the file of, and perhaps of their inputs. */
  public static Set<String> compactedFrom(HStoreFile file) {
    return file.getCompactedStoreFiles();
  }

  /** The file's ROW or ROWCOL bloom filter, or null. */
  public static BloomFilter bloom(StoreFileReader reader) {
    return reader.getGeneralBloomFilter();
  }

  /** Whether a heap's current cell is of one of its scanners. */
  public static boolean isOnTop(KeyValueHeap heap, KeyValueScanner scanner) {
    return heap.current == scanner;
  }

  /** What a scanner reads from; null once it is closed. */
  public static KeyValueHeap heap(StoreScanner scanner) {
    return scanner.heap;
  }

  /** Changes what a scanner reads from; it closes the new heap alone. */
  public static void heap(StoreScanner scanner, KeyValueHeap heap) {
    scanner.heap = heap;
  }
}
