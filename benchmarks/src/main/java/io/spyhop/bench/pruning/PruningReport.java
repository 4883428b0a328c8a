package io.spyhop.bench.pruning;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the benchmark measured.
 *
 * @param measured queries under loads
 * @param sync synchronising statistics
 * @param writeCost what statistics cost writes
 * @param cacheBytes the cache's size per table by the paper's formula, as the client says
 * @param spaces table 4: cache sizes beside each other
 * @param syncs figure 14: one entry an interval
 * @param indexes figure 11: statistics against secondary indexes
 * @param settings what was asked for
 */
public record PruningReport(
    List<Measured> measured,
    Sync sync,
    WriteCost writeCost,
    SortedMap<String, Long> cacheBytes,
    List<Space> spaces,
    List<Interval> syncs,
    List<Index> indexes,
    Settings settings) {
  /** The load with all data in HFiles and no writes. */
  public static final String READ_ONLY = "read-only";

  /** The load with writes at the usual rate. */
  public static final String WRITE = "write";

  /** What loads with a percentage of the rows in the memstore begin with. */
  public static final String MEMSTORE = "memstore-";

  /** What loads with regions of a size begin with. */
  public static final String PARTITIONS = "partitions-";

  /** What loads with a rate of writes begin with. */
  public static final String WRITES = "write-";

  /** Copies the collections. */
  public PruningReport {
    measured = List.copyOf(measured);
    cacheBytes = Collections.unmodifiableSortedMap(new TreeMap<>(cacheBytes));
    spaces = List.copyOf(spaces);
    syncs = List.copyOf(syncs);
    indexes = List.copyOf(indexes);
  }

  static String memstore(int percent) {
    return MEMSTORE + percent;
  }

  static String partitions(int kilobytes) {
    return PARTITIONS + kilobytes + "k";
  }

  static String writes(int rate) {
    return WRITES + rate;
  }

  /** What a program reads. */
  public Json json() {
    return new Json(measured.stream().map(Measured::query).toList(), sync, cacheBytes, this);
  }

  /**
   * The part that goes to a file.
   *
   * @param queries queries under loads
   * @param sync synchronising statistics
   * @param cacheBytes the cache's size per table
   * @param all everything, the above too
   */
  public record Json(
      List<Query> queries, Sync sync, Map<String, Long> cacheBytes, PruningReport all) {}

  /**
   * A query under a load. Numbers of regions and memstores are means over the sets of parameters.
   *
   * @param name as in the paper; a table's name if it is one scan alone
   * @param load what happened meanwhile
   * @param opsRegions regions that the original partition scan reads
   * @param ppsRegions regions that are read with pruning
   * @param opsMemstores memstores that the original partition scan reads: those of all regions
   * @param ppsMemstores memstores that are read with pruning
   * @param oracleRegions regions that have a row of the answer
   * @param opsQps queries a second without pruning
   * @param ppsQps queries a second with pruning
   * @param equal whether all answers were the same, and had as many rows as the oracle found
   */
  public record Query(
      String name,
      String load,
      double opsRegions,
      double ppsRegions,
      double opsMemstores,
      double ppsMemstores,
      double oracleRegions,
      double opsQps,
      double ppsQps,
      boolean equal) {
    /** How many times as fast pruning is. */
    public double ratio() {
      return opsQps == 0 ? 0 : ppsQps / opsQps;
    }

    /** Whether an oracle can leave out at least half of the regions. */
    public boolean prunable() {
      return 2 * oracleRegions <= opsRegions;
    }

    /** The least ratio that is accepted. */
    public double bar() {
      return prunable() ? 1.5 : 0.97;
    }
  }

  /**
   * A query under a load with all that was measured.
   *
   * @param query what programs read
   * @param opsMs the median of a query's latency without pruning
   * @param ppsMs the same with pruning
   * @param opsBlocks data blocks of HFiles read for a query without pruning, in the read-only load
   * @param ppsBlocks the same with pruning
   * @param syncMs the mean time of a synchronisation
   * @param syncBytes the mean size of a synchronisation
   * @param syncsPerQuery synchronisations for a query
   * @param written rows written a second meanwhile
   */
  public record Measured(
      Query query,
      double opsMs,
      double ppsMs,
      double opsBlocks,
      double ppsBlocks,
      double syncMs,
      double syncBytes,
      double syncsPerQuery,
      double written) {
    Measured withWrites(double rowsPerSecond) {
      return new Measured(
          query,
          opsMs,
          ppsMs,
          opsBlocks,
          ppsBlocks,
          syncMs,
          syncBytes,
          syncsPerQuery,
          rowsPerSecond);
    }
  }

  /**
   * Synchronising a table.
   *
   * @param regions of the table
   * @param servers that have them
   * @param rpcs requests to servers in one synchronisation
   * @param medianMs of a query that needs one and reads nothing
   * @param multigetMs of as many rows as there are regions, one of each, in one list of Gets
   */
  public record Sync(int regions, int servers, double rpcs, double medianMs, double multigetMs) {}

  /**
   * The same rows written into a table without and one with statistics.
   *
   * @param rows in a turn
   * @param plainS seconds of a turn without statistics, the median
   * @param recordedS seconds of a turn with statistics, the median
   * @param ratio recorded / plain, the median over pairs of turns
   * @param cpuRatio the same of the processor time of client and servers, until all is flushed and
   *     compacted
   */
  public record WriteCost(
      int rows, double plainS, double recordedS, double ratio, double cpuRatio) {}

  /**
   * Table 4: bytes of statistics.
   *
   * @param table its name
   * @param regions how many it has
   * @param cached what the client says
   * @param formula the paper's formula for our regions
   * @param paper what the paper has
   */
  public record Space(String table, int regions, long cached, long formula, long paper) {}

  /**
   * A sync interval, under the write load.
   *
   * @param millis the interval
   * @param qps queries a second
   * @param syncMs the mean time of a synchronisation
   * @param syncBytes the mean size of a synchronisation
   * @param syncsPerSecond synchronisations a second, of all tables
   */
  public record Interval(
      int millis, double qps, double syncMs, double syncBytes, double syncsPerSecond) {}

  /**
   * Figure 11: latency times space.
   *
   * @param name the query
   * @param statisticsMs latency of one client with pruning
   * @param statisticsBytes of the cache for the query's tables
   * @param indexMs latency of one client with secondary indexes
   * @param indexBytes of the indexes
   */
  public record Index(
      String name, double statisticsMs, long statisticsBytes, double indexMs, long indexBytes) {}
}
