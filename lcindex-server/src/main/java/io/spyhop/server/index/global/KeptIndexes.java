package io.spyhop.server.index.global;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.runtime.Complaints;
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
 * are not kept. Tables are looked up beside writes, which go on with what was found last: nobody
 * believes a new index before it has been found and built. Thread-safe.
 */
final class KeptIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(KeptIndexes.class);

  private final HRegion region;
  private final TableName base;
  private final RegionOpening opening;
  private final IoFunction<TableName, TableDescriptor> descriptors;
  private final Runnable changed;
  private final Complaints complaints;
  private volatile List<GlobalIndex> indexes = List.of();

  /**
   * Those of them that have no definition any more, and are to be kept until nobody believes it.
   */
  private volatile List<GlobalIndex> leaving = List.of();

  /** Definitions whose tables are not looked up yet; null if there are none. */
  private volatile IndexSchema unresolved;

  /** Why the first definitions could not be looked up: nothing is written meanwhile. */
  private volatile IOException unknown = new IOException("they were not looked up yet");

  /** Those that have been looked up, each with its table; guarded by this. */
  private List<IndexDefinition> settled;

  /** Whether a write has failed as if an index were dropped. */
  private volatile boolean doubted;

  /** Reads the definitions again; null until the region is open. */
  private volatile IoRunnable source;

  /**
   * @param descriptors those of now, null if there is no such table
   * @param changed there may be something to build
   * @param complaints of all regions of the server
   */
  KeptIndexes(
      HRegion region,
      RegionOpening opening,
      IoFunction<TableName, TableDescriptor> descriptors,
      Runnable changed,
      Complaints complaints) {
    this.region = region;
    this.base = region.getTableDescriptor().getTableName();
    this.opening = opening;
    this.descriptors = descriptors;
    this.changed = changed;
    this.complaints = complaints;
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
  void schema(IndexSchema schema) {
    if (!isNew(schema)) {
      return;
    }
    try {
      settle();
    } catch (IOException e) {
      String until = unknown == null ? "it goes on with those it has" : "it takes no writes";
      complaints.warn(LOG, "Looking up the index tables", until + " until then", base, region, e);
    }
  }

  private synchronized boolean isNew(IndexSchema schema) {
    boolean same = unresolved == null && schema.globals().indexes().equals(settled);
    if (!same) {
      unresolved = schema;
    }
    return !same;
  }

  /**
   * The indexes of the definitions that were told last; their tables are looked up if they were
   * not.
   *
   * @throws IOException if they cannot be now
   */
  List<GlobalIndex> settle() throws IOException {
    IndexSchema schema = unresolved;
    if (schema != null) {
      try {
        resolve(schema, held(schema.globals().indexes()));
      } catch (IOException e) {
        unresolved(e);
        throw e;
      }
    }
    return indexes;
  }

  private synchronized void unresolved(IOException why) {
    if (unknown != null) {
      unknown = why;
    }
  }

  /** Those whose tables are there, in the incarnations of the definitions. */
  private List<IndexDefinition> held(List<IndexDefinition> definitions) throws IOException {
    List<IndexDefinition> held = new ArrayList<>();
    for (IndexDefinition d : definitions) {
      TableName table = IndexTable.nameOf(base, d.name());
      TableDescriptor descriptor = descriptors.apply(table);
      if (descriptor == null || !IndexTable.holds(descriptor, d)) {
        IOException why = new IOException("table '" + table + "' does not hold it");
        complaints.warn(LOG, "Keeping index '" + d.name() + "'", "it stays", base, region, why);
      } else {
        held.add(d);
      }
    }
    return held;
  }

  private synchronized void resolve(IndexSchema schema, List<IndexDefinition> held) {
    if (unresolved != schema) {
      return; // Others have been told, or this one was looked up beside.
    }
    List<GlobalIndex> found = new ArrayList<>();
    held.forEach(d -> found.add(known(d).orElseGet(() -> found(d))));
    List<IndexDefinition> all = schema.globals().indexes();
    settled = held.size() == all.size() ? all : null;
    leaving = indexes.stream().filter(i -> found.stream().noneMatch(i::isLike)).toList();
    found.addAll(leaving);
    indexes = List.copyOf(found);
    unknown = null;
    unresolved = null;
    changed.run();
  }

  /**
   * Goes on without the indexes that have no definition any more, where that is noted in their
   * tables, or these are gone. Until then, writes add entries.
   */
  void leave() {
    if (areLeaving()) {
      leaveNow();
    }
  }

  /** Whether some are not kept any more, and that is not noted. */
  boolean areLeaving() {
    return !leaving.isEmpty();
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
        complaints.warn(LOG, "Noting that '" + index + "' is not kept", base, region, e);
      }
    }
  }

  /** Nothing is written before the first definitions are resolved. */
  private GlobalIndex found(IndexDefinition definition) {
    TableName table = IndexTable.nameOf(base, definition.name());
    GlobalIndex index = new GlobalIndex(definition, table, unknown != null);
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
   * The indexes that a write needs entries in. Asks nobody.
   *
   * @throws RegionTooBusyException if none have been looked up since the region opened
   */
  List<GlobalIndex> current() throws RegionTooBusyException {
    IOException why = unknown;
    if (why != null) {
      changed.run();
      throw busy("its index tables cannot be looked up", why);
    }
    return indexes;
  }

  /** A write has failed as if an index were dropped: the definitions are to be read again. */
  void doubt() {
    doubted = true;
  }

  /** Reads the definitions again if there is doubt, and looks their tables up. */
  void readDoubted() throws IOException {
    IoRunnable definitions = source;
    if (doubted && definitions != null) {
      doubted = false;
      forget();
      try {
        definitions.run();
      } catch (IOException e) {
        doubted = true;
        throw e;
      }
    }
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
