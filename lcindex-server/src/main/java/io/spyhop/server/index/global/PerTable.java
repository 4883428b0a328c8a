package io.spyhop.server.index.global;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.common.base.Ticker;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;

/**
 * Something for each table that is in use: what nobody has asked for in an hour is forgotten, and
 * beyond a bound what was not asked for the longest. Who has it may go on using it beside a new
 * one. Thread-safe.
 */
final class PerTable<V> {
  static final long IDLE_MINUTES = 60;
  static final int MOST = 1_000;

  private final Cache<TableName, V> values;

  /** Makes what is missing. */
  @FunctionalInterface
  interface Maker<V, E extends Exception> {
    V make(TableName table) throws E;
  }

  PerTable(Ticker clock) {
    this.values =
        CacheBuilder.newBuilder()
            .ticker(clock)
            .concurrencyLevel(1)
            .maximumSize(MOST)
            .expireAfterAccess(IDLE_MINUTES, TimeUnit.MINUTES)
            .build();
  }

  /** What is there, or what is made now; all who ask at the same time get the same. */
  <E extends Exception> V get(TableName table, Maker<V, E> maker) throws E {
    V known = values.getIfPresent(table);
    if (known != null) {
      return known;
    }
    V made = maker.make(table);
    V first = values.asMap().putIfAbsent(table, made);
    return first == null ? made : first;
  }

  /** How many there are. */
  long size() {
    values.cleanUp();
    return values.size();
  }
}
