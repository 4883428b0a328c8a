package io.spyhop.client.internal.admin;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks regions questions: one Get a region, of its first row and with the question as an attribute,
 * all in one multi-get, which is one call a server. Thread-safe.
 *
 * <p>A region that cannot be reached in time, or that does not run Spyhop, costs its own answer
 * only.
 */
public final class RegionCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RegionCalls.class);

  private final Connection connection;
  private final Supplier<Patience> patience;

  /** Calls through a connection, which stays the caller's; each question is a look of its own. */
  public RegionCalls(Connection connection) {
    this(connection, Patience::longest);
  }

  /** The same for the questions of one look. */
  RegionCalls(Connection connection, Patience patience) {
    this(connection, () -> patience);
  }

  private RegionCalls(Connection connection, Supplier<Patience> patience) {
    this.connection = connection;
    this.patience = patience;
  }

  /**
   * Asks all regions of a table as hbase:meta lists them now; see the other method. Those of a
   * table that is disabled are not asked, and the failure of each says so.
   */
  public <T> List<RegionAnswer<T>> ask(
      TableName table, RegionRequest request, RegionAnswer.Decoder<T> decoder) throws IOException {
    List<HRegionLocation> regions = TableInfo.regions(connection, table);
    if (TableInfo.isDisabled(connection, table)) {
      String why = TableInfo.disabled(table);
      return regions.stream()
          .map(region -> new RegionAnswer<T>(region, Optional.empty(), why))
          .toList();
    }
    return ask(table, regions, request, decoder);
  }

  /**
   * Asks regions.
   *
   * @return one entry a region, in the order given, answered or not
   * @throws IOException if nothing could be asked at all
   */
  public <T> List<RegionAnswer<T>> ask(
      TableName table,
      List<HRegionLocation> regions,
      RegionRequest request,
      RegionAnswer.Decoder<T> decoder)
      throws IOException {
    return ask(table, regions, request, get -> get, decoder);
  }

  /**
   * Asks regions; see the other method.
   *
   * @param with adds attributes to what carries the question
   */
  public <T> List<RegionAnswer<T>> ask(
      TableName table,
      List<HRegionLocation> regions,
      RegionRequest request,
      UnaryOperator<Get> with,
      RegionAnswer.Decoder<T> decoder)
      throws IOException {
    return ask(table, regions, request, with, patience.get().each(), decoder);
  }

  /**
   * Asks regions; see the other method.
   *
   * @param with adds attributes to what carries the question
   * @param timeout how long to wait for all regions together
   */
  public <T> List<RegionAnswer<T>> ask(
      TableName table,
      List<HRegionLocation> regions,
      RegionRequest request,
      UnaryOperator<Get> with,
      Duration timeout,
      RegionAnswer.Decoder<T> decoder)
      throws IOException {
    List<Get> gets = new ArrayList<>(regions.size());
    for (HRegionLocation region : regions) {
      gets.add(with.apply(request.toGet(region.getRegion())));
    }
    return ask(table, regions, gets, timeout, decoder);
  }

  /**
   * Asks each region something of its own; see the other method.
   *
   * @param request the question to a region
   * @param timeout how long to wait for all regions together
   */
  public <T> List<RegionAnswer<T>> ask(
      TableName table,
      List<HRegionLocation> regions,
      Function<HRegionLocation, RegionRequest> request,
      Duration timeout,
      RegionAnswer.Decoder<T> decoder)
      throws IOException {
    return ask(table, regions, gets(regions, request), timeout, decoder);
  }

  /**
   * Asks the regions of some rows, wherever they are.
   *
   * @param gets one for each
   * @param timeout how long to wait for all regions together
   * @return their answers, in the same order; empty where there is none
   * @throws IOException if nothing could be asked at all
   */
  public <T> List<Optional<T>> ask(
      TableName table, List<Get> gets, Duration timeout, RegionAnswer.Decoder<T> decoder)
      throws IOException {
    return Arrays.stream(results(table, gets, timeout))
        .map(result -> answer(null, result, timeout, decoder).answer())
        .toList();
  }

  private <T> List<RegionAnswer<T>> ask(
      TableName table,
      List<HRegionLocation> regions,
      List<Get> gets,
      Duration timeout,
      RegionAnswer.Decoder<T> decoder)
      throws IOException {
    Object[] results = results(table, gets, timeout);
    List<RegionAnswer<T>> answers = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      answers.add(answer(regions.get(i), results[i], timeout, decoder));
    }
    return answers;
  }

  private Object[] results(TableName table, List<Get> gets, Duration timeout) throws IOException {
    Object[] results = new Object[gets.size()];
    if (!gets.isEmpty()) {
      send(table, gets, timeout, results);
    }
    return results;
  }

  /** In the connection's threads: a table that is built has its own, begun and ended each time. */
  private void send(TableName table, List<Get> gets, Duration timeout, Object[] results)
      throws IOException {
    int millis = Math.toIntExact(timeout.toMillis());
    try (Table t = connection.getTable(table)) {
      t.setOperationTimeout(millis);
      t.setReadRpcTimeout(millis);
      t.batch(gets, results);
    } catch (RetriesExhaustedWithDetailsException e) {
      LOG.debug("Some regions of table {} did not answer", table, e);
    } catch (SocketTimeoutException e) { // of HBase's client, when the time is up for all together
      LOG.debug("Some regions of table {} did not answer in {} ms", table, millis, e);
      patience.get().shorten();
    } catch (InterruptedException | InterruptedIOException e) { // these forget the flag
      throw Interruption.of("interrupted while asking the regions of table '" + table + "'", e);
    }
  }

  private static List<Get> gets(
      List<HRegionLocation> regions, Function<HRegionLocation, RegionRequest> request)
      throws IOException {
    List<Get> gets = new ArrayList<>(regions.size());
    for (HRegionLocation region : regions) {
      gets.add(request.apply(region).toGet(region.getRegion()));
    }
    return gets;
  }

  private static <T> RegionAnswer<T> answer(
      HRegionLocation region, Object result, Duration timeout, RegionAnswer.Decoder<T> decoder) {
    if (!(result instanceof Result cells)) {
      return new RegionAnswer<>(region, Optional.empty(), failure(result, timeout));
    }
    if (cells.isEmpty()) {
      return new RegionAnswer<>(region, Optional.empty(), "");
    }
    try {
      T answer = decoder.decode(CellUtil.cloneValue(cells.rawCells()[0]));
      return new RegionAnswer<>(region, Optional.of(answer), "");
    } catch (CorruptFrameException e) {
      LOG.debug("Region {} gave an answer that cannot be read", region, e);
      return new RegionAnswer<>(region, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  private static String failure(Object result, Duration timeout) {
    String text = result == null ? "no answer in " + timeout.toMillis() + " ms" : result.toString();
    return text.lines().findFirst().orElse("");
  }
}
