package io.spyhop.client;

import java.util.List;

/**
 * The statistics of one region's columns ({@link IndexAdmin#regionStatistics}). Immutable,
 * thread-safe.
 *
 * @param region the region's encoded name
 * @param server its server as {@code host,port,startcode}, or {@code ?} while it has none
 * @param startRow its first row, printable; empty for the first region
 * @param unknown why nothing is known, so that every query reads the region; empty if something is
 * @param memstoreEmpty whether its memstores were empty
 * @param version how often its memstores' statistics have changed since they were collected anew
 * @param columns those that are declared, ordered by name
 */
public record RegionStatistics(
    String region,
    String server,
    String startRow,
    String unknown,
    boolean memstoreEmpty,
    long version,
    List<Column> columns) {
  /**
   * One column. The bounds are values of the table.
   *
   * @param name {@code family:qualifier}
   * @param type how its cells are read
   * @param bounds its least and greatest value, whether some cell has none, and how full the bloom
   *     filter is, in one line
   * @param bytes what that takes in a client's memory, about
   */
  public record Column(String name, String type, String bounds, long bytes) {}

  /** Copies the columns. */
  public RegionStatistics {
    columns = List.copyOf(columns);
  }
}
