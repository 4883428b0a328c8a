package io.spyhop.client.internal.exec;

import io.spyhop.core.conf.CheckedSettings;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The memory of unread rows that all cursors of one client share. Nobody waits for room: a cursor
 * that finds none reads as a plain scanner does, one page of its first range at a time, and
 * whatever it holds counts. Thread-safe.
 *
 * <p>A cursor reads further ahead while it holds less than what is free, so that one alone takes
 * half of the bound, two a third each, and one that comes later always finds something.
 */
public final class ReadAhead {
  /** The setting of the bound, in bytes of cells. */
  public static final String BYTES = "spyhop.client.readahead.bytes";

  private static final long DEFAULT_BYTES = 64L << 20;

  /** Without the setting the bound is at most this part of the heap. */
  private static final int HEAP_PART = 8;

  private static final long LEAST_PAGE = 64 << 10;

  /** The same where very many scans are open for one cursor. */
  private static final long LEAST_SMALL_PAGE = 4 << 10;

  private final long maxBytes;
  private final long pageBytes;
  private final AtomicLong used = new AtomicLong();

  /**
   * @param maxBytes the bound; 0 for nothing ahead of what a plain scanner holds
   * @param pageBytes the most that a server's answer to one call of a scan holds, but for one row
   */
  ReadAhead(long maxBytes, long pageBytes) {
    this.maxBytes = maxBytes;
    this.pageBytes = pageBytes;
  }

  /**
   * As configured.
   *
   * @param threads how many scans are read at once; their pages take at most half of the bound
   */
  static ReadAhead of(Configuration conf, int threads) {
    long most = Math.min(DEFAULT_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART);
    long bytes = new CheckedSettings(conf).memory(BYTES, most, 0);
    long page = Math.max(LEAST_PAGE, bytes / (2L * threads));
    return new ReadAhead(bytes, Math.min(page, configuredPage(conf)));
  }

  /** The most that a scan fetches at a time if it does not say. */
  public static long configuredPage(Configuration conf) {
    return conf.getLong(
        HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY,
        HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE);
  }

  /** The most that a server's answer to one call of a scan should hold. */
  public long pageBytes() {
    return pageBytes;
  }

  /** The same for one of so many scans of one cursor, which all hold a page at the same time. */
  public long pageBytes(int scans) {
    return Math.min(pageBytes, Math.max(LEAST_SMALL_PAGE, maxBytes / 2 / Math.max(1, scans)));
  }

  /** The most that one cursor should hold of wide rows that it merges. */
  public long headBytes() {
    return maxBytes / 2;
  }

  /** What all cursors hold. */
  long used() {
    return used.get();
  }

  long maxBytes() {
    return maxBytes;
  }

  void add(long bytes) {
    used.addAndGet(bytes);
  }
}
