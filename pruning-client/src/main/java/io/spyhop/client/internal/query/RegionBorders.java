package io.spyhop.client.internal.query;

import io.spyhop.client.internal.admin.RegionCalls;
import io.spyhop.client.internal.admin.TableInfo;
import io.spyhop.client.internal.bucket.BucketScans;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.exec.SideBySide;
import io.spyhop.client.internal.global.Bounded;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.FirstRows;
import io.spyhop.core.trace.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start keys of a table's regions, as far as they are known, or as they are this moment.
 * Thread-safe.
 */
public final class RegionBorders implements BucketScans.Regions {
  /** Regions that do not answer small scans so soon are scanned, which says what is wrong. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** How long regions are not asked for first rows after one did not answer, or refused. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  /** So many regions of a server are asked with one call; more calls go out side by side. */
  private static final int REGIONS = 16;

  private static final Logger LOG = LoggerFactory.getLogger(RegionBorders.class);

  private final Connection connection;
  private final TableName table;
  private final KeySpace known;
  private final ScanPool pool;

  /** When one last did not; null if all did. */
  private volatile Long silentSince;

  public RegionBorders(Connection connection, TableName table, KeySpace known, ScanPool pool) {
    this.connection = connection;
    this.table = table;
    this.known = known;
    this.pool = pool;
  }

  @Override
  public List<RowRange> cut(RowRanges rows) throws IOException {
    return known.cut(rows);
  }

  @Override
  public List<Optional<FirstRows>> firstRows(List<Scan> scans) throws IOException {
    Work.carried().ifPresent(w -> scans.forEach(s -> s.setAttribute(Attributes.TRACE, w)));
    List<List<Integer>> calls = calls(scans);
    List<List<Optional<FirstRows>>> answered =
        SideBySide.all(pool, calls, call -> ask(call.stream().map(scans::get).toList()));
    List<Optional<FirstRows>> answers =
        new ArrayList<>(Collections.nCopies(scans.size(), Optional.empty()));
    for (int i = 0; i < calls.size(); i++) {
      for (int k = 0; k < calls.get(i).size(); k++) {
        answers.set(calls.get(i).get(k), answered.get(i).get(k));
      }
    }
    return answers;
  }

  /** The numbers of the scans that are asked about together: so many of each server. */
  private List<List<Integer>> calls(List<Scan> scans) throws IOException {
    Map<ServerName, Integer> ofServer = new HashMap<>();
    List<List<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < scans.size(); i++) {
      int before = ofServer.merge(known.server(scans.get(i).getStartRow()), 1, Integer::sum) - 1;
      if (before / REGIONS == calls.size()) {
        calls.add(new ArrayList<>());
      }
      calls.get(before / REGIONS).add(i);
    }
    return calls;
  }

  /** What fails here is told by the scans. */
  private List<Optional<FirstRows>> ask(List<Scan> scans) throws IOException {
    List<Optional<FirstRows>> answers = Collections.nCopies(scans.size(), Optional.empty());
    Long silent = silentSince;
    if (silent != null && System.nanoTime() - silent < SILENCE.toNanos()) {
      return answers;
    }
    try {
      List<Get> gets = new ArrayList<>();
      for (Scan scan : scans) {
        Get get = FirstRows.request(scan).toGet(scan.getStartRow());
        gets.add(get.setPriority(scan.getPriority()));
      }
      answers = new RegionCalls(connection).ask(table, gets, PATIENCE, FirstRows::decode);
    } catch (IOException e) {
      Bounded.requireNotInterrupted(e);
      LOG.debug("Regions of table {} are scanned", table, e);
    }
    if (!answers.stream().allMatch(Optional::isPresent)) {
      silentSince = System.nanoTime();
    }
    return answers;
  }

  @Override
  public List<RowRange> now(RowRange rows) throws IOException {
    return rows.cut(
        TableInfo.regions(connection, table).stream()
            .map(r -> r.getRegion().getStartKey())
            .collect(Collectors.toCollection(() -> new TreeSet<>(Bytes.BYTES_COMPARATOR))));
  }
}
