package io.spyhop.client.internal.query;

import com.google.common.collect.Maps;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.predicate.ScanSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The settings of a scan that a query takes over: which cells are seen (time range, versions,
 * isolation, attributes, as that of authorizations), and how servers read them (priority, block
 * cache, read type, bytes of a page). Immutable, thread-safe.
 */
public final class ReadSettings {
  /** Those of a new scan. */
  public static final ReadSettings USUAL = of(new Scan());

  /** Attributes that clients and regions of Spyhop have for each other. */
  private static final String OWN = "spyhop.";

  /** Is not changed. */
  private final Scan like;

  private ReadSettings(Scan like) {
    this.like = like;
  }

  /**
   * Takes the settings of a scan, which may change afterwards.
   *
   * @throws InvalidQueryException if the scan has anything else that is not as in a new one
   */
  public static ReadSettings of(Scan scan) {
    Objects.requireNonNull(scan, "the scan whose settings are to be taken over is null");
    Scan taken = copy(scan);
    Set<String> others = others(scan, taken);
    if (!others.isEmpty()) {
      throw new InvalidQueryException(
          "a query takes over time range, versions, isolation level, attributes, priority,"
              + " cacheBlocks, readType and maxResultSize of a scan, but this one also has "
              + String.join(", ", others)
              + ": leave that out; rows, columns, condition, limit and caching are the query's own");
    }
    return new ReadSettings(taken);
  }

  private static Scan copy(Scan from) {
    Scan to = new Scan();
    try {
      to.setTimeRange(from.getTimeRange().getMin(), from.getTimeRange().getMax());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it comes from a scan
    }
    from.getColumnFamilyTimeRange()
        .forEach((f, t) -> to.setColumnFamilyTimeRange(f, t.getMin(), t.getMax()));
    from.getAttributesMap().forEach((name, value) -> to.setAttribute(name, value.clone()));
    return to.readVersions(from.getMaxVersions())
        .setPriority(from.getPriority())
        .setCacheBlocks(from.getCacheBlocks())
        .setReadType(from.getReadType())
        .setMaxResultSize(from.getMaxResultSize());
  }

  /** What a scan has beside what was taken, as HBase's protocol names it. */
  private static Set<String> others(Scan scan, Scan taken) {
    Set<String> others = new TreeSet<>();
    try {
      var asked = ProtobufUtil.toScan(scan);
      var kept = ProtobufUtil.toScan(taken);
      for (var field : asked.getDescriptorForType().getFields()) {
        if (!asked.getField(field).equals(kept.getField(field))) {
          others.add(field.getName());
        }
      }
    } catch (IOException e) {
      throw new InvalidQueryException("the scan cannot be sent: " + e.getMessage());
    }
    others.addAll(unsent(scan));
    scan.getAttributesMap().keySet().stream()
        .filter(name -> name.startsWith(OWN))
        .forEach(name -> others.add("attribute " + name));
    return others;
  }

  /** What its protocol has elsewhere, or as attributes. */
  private static Set<String> unsent(Scan scan) {
    Map<String, Boolean> has =
        Map.of(
            "allow_partial_results",
            scan.getAllowPartialResults(),
            "async_prefetch",
            scan.isAsyncPrefetch() != null,
            "limit",
            scan.getLimit() > 0,
            "raw",
            scan.isRaw(),
            "replica_id",
            scan.getReplicaId() >= 0,
            "scan_metrics",
            scan.isScanMetricsEnabled());
    return Maps.filterValues(has, Boolean::booleanValue).keySet();
  }

  /** Why indexes and statistics, which know the newest cells, do not serve; empty if they do. */
  public Optional<String> unserved() {
    return ScanSettings.unusual(like);
  }

  /** A scan of the whole table with these settings. */
  Scan scan() {
    return copy(like);
  }

  /** A Get with these settings. */
  Get get(byte[] row) {
    Get get = new Get(row);
    try {
      get.setTimeRange(like.getTimeRange().getMin(), like.getTimeRange().getMax());
      get.readVersions(like.getMaxVersions());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // both come from a scan
    }
    like.getColumnFamilyTimeRange()
        .forEach((f, t) -> get.setColumnFamilyTimeRange(f, t.getMin(), t.getMax()));
    like.getAttributesMap().forEach(get::setAttribute);
    return get.setPriority(like.getPriority()).setCacheBlocks(like.getCacheBlocks());
  }

  /** What decides which rows are seen, so that pages of one answer go together; empty if usual. */
  public String cells() {
    String times = like.getTimeRange().isAllTime() ? "" : like.getTimeRange().toString();
    StringBuilder text = new StringBuilder(times);
    like.getColumnFamilyTimeRange()
        .forEach((f, t) -> text.append(' ').append(Bytes.toStringBinary(f)).append(t));
    new TreeMap<>(like.getAttributesMap())
        .forEach((a, v) -> text.append(' ').append(a).append('=').append(Bytes.toStringBinary(v)));
    return text.toString();
  }
}
