package io.spyhop.server.index.global;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The global indexes that one region of a base table adds entries to: those of its table's
 * definitions whose index tables are there, and those that were defined until it is noted that they
 * are not kept. Thread-safe.
 */
final class KeptIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(KeptIndexes.class);

  private final HRegion region;
  private final TableName base;
  private final RegionOpening opening;
  private final IoFunction<TableName, TableDescriptor> descriptors;
  private final Runnable changed;
  private volatile List<GlobalIndex> indexes = List.of();

  /**
   * Those of them that have no definition any more, and are to be kept until nobody believes it.
   */
  private volatile List<GlobalIndex> leaving = List.of();

  /** Whether definitions have been resolved since the region opened; guarded by this. */
  private boolean resolved;

  /** Definitions that could not be looked up yet: nothing is written meanwhile. */
  private volatile IndexSchema unresolved;

  /** Those that have been looked up, each with its table; guarded by this. */
  private List<IndexDefinition> settled;

  /** Reads the definitions again; null until the region is open. */
  private volatile IoRunnable source;

  /**
   * @param descriptors those of now, null if there is no such table
   * @param changed there may be something to build
   */
  KeptIndexes(
      HRegion region,
      RegionOpening opening,
      IoFunction<TableName, TableDescriptor> descriptors,
      Runnable changed) {
    this.region = region;
    this.base = region.getTableDescriptor().getTableName();
    this.opening = opening;
    this.descriptors = descriptors;
    this.changed = changed;
  }

  /**
   * The region is open.
   *
   * @param definitions reads the definitions again and hands them to {@link #schema}
   */
  void opened(IoRunnable definitions) {
    source = definitions;
  }

  /** Takes over the table's definitions; their tables are looked up where they are others. */
  synchronized void schema(IndexSchema schema) {
    if (unresolved == null && schema.globals().indexes().equals(settled)) {
      return;
    }
    unresolved = schema;
    try {
      resolve();
    } catch (IOException e) {
      LOG.warn("{} takes no writes until its index tables can be looked up", region, e);
    }
  }

  /** An index is kept if its table is there, in the definition's incarnation. */
  private synchronized List<GlobalIndex> resolve() throws IOException {
    IndexSchema schema = unresolved;
    if (schema == null) {
      return indexes;
    }
    List<GlobalIndex> found = new ArrayList<>();
    for (IndexDefinition d : schema.globals().indexes()) {
      TableName table = IndexTable.nameOf(base, d.name());
      TableDescriptor descriptor = descriptors.apply(table);
      if (descriptor == null || !IndexTable.holds(descriptor, d)) {
        LOG.warn("Index '{}' of {} is not kept: '{}' does not hold it", d.name(), region, table);
      } else {
        found.add(known(d).orElseGet(() -> found(d, table)));
      }
    }
    resolved = true;
    List<IndexDefinition> all = schema.globals().indexes();
    settled = found.size() == all.size() ? all : null;
    leaving = indexes.stream().filter(i -> found.stream().noneMatch(i::isLike)).toList();
    found.addAll(leaving);
    indexes = List.copyOf(found);
    unresolved = null;
    leave();
    changed.run();
    return indexes;
  }

  /**
   * Goes on without the indexes that have no definition any more, where that is noted in their
   * tables, or these are gone. Until then, writes add entries.
   */
  void leave() {
    if (!leaving.isEmpty()) {
      leaveNow();
    }
  }

  private synchronized void leaveNow() {
    for (GlobalIndex index : leaving) {
      try {
        TableDescriptor table = descriptors.apply(index.table());
        if (table != null && IndexTable.holds(table, index.definition())) {
          opening.forsake(index);
        }
        indexes = indexes.stream().filter(i -> i != index).toList();
        leaving = leaving.stream().filter(i -> i != index).toList();
      } catch (IOException e) {
        LOG.warn("{} still keeps '{}', as it cannot be noted that it does not", region, index, e);
      }
    }
  }

  /** Nothing is written before the first definitions are resolved. */
  private GlobalIndex found(IndexDefinition definition, TableName table) {
    GlobalIndex index = new GlobalIndex(definition, table, !resolved);
    return indexes.stream()
        .filter(index::isLike)
        .findFirst()
        .map(i -> new GlobalIndex(definition, table, i.isFromStart()))
        .orElse(index);
  }

  private Optional<GlobalIndex> known(IndexDefinition definition) {
    return indexes.stream().filter(i -> i.definition().equals(definition)).findFirst();
  }

  /** The definitions of the indexes that are kept. */
  List<IndexDefinition> definitions() {
    return indexes.stream().map(GlobalIndex::definition).toList();
  }

  /** Those, and the definitions that could not be looked up yet. */
  List<IndexDefinition> possible() {
    IndexSchema open = unresolved;
    Set<IndexDefinition> all = new LinkedHashSet<>(definitions());
    if (open != null) {
      all.addAll(open.globals().indexes());
    }
    return List.copyOf(all);
  }

  /** The indexes as last resolved. */
  List<GlobalIndex> all() {
    return indexes;
  }

  /** Whether any is on a column of the family. */
  boolean are(byte[] family) {
    return indexes.stream().anyMatch(i -> Arrays.equals(family, i.definition().column().family()));
  }

  /**
   * The indexes of the definitions that were read last.
   *
   * @throws RegionTooBusyException if it cannot be told now which are kept
   */
  List<GlobalIndex> current() throws IOException {
    if (unresolved == null) {
      return indexes;
    }
    try {
      return resolve();
    } catch (IOException e) {
      throw busy("its index tables cannot be looked up", e);
    }
  }

  /** The same, after the definitions have been read again, and their tables looked up. */
  List<GlobalIndex> readAgain() throws IOException {
    IoRunnable definitions = source;
    if (definitions != null) {
      forget();
      definitions.run();
    }
    return current();
  }

  private synchronized void forget() {
    settled = null;
  }

  /** Refuses a write for now. */
  RegionTooBusyException busy(String what, IOException cause) {
    RegionTooBusyException e =
        new RegionTooBusyException(
            "table '" + base + "': nothing was written, " + what + "; try again: " + cause);
    e.initCause(cause);
    return e;
  }
}
