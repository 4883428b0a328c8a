package io.spyhop.server.runtime;

import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the index definitions of the tables that have regions here: one reading serves all regions
 * and callers that ask meanwhile. Thread-safe.
 */
public final class TableSchemas {
  private static final Logger LOG = LoggerFactory.getLogger(TableSchemas.class);

  private final TableDescriptors descriptors;
  private final Complaints complaints;
  private final Set<RegionSchema> regions = ConcurrentHashMap.newKeySet();
  private final SharedReadings<TableName, IndexSchema> readings =
      new SharedReadings<>(System::nanoTime);

  /**
   * @param descriptors of all tables, as they are now
   */
  public TableSchemas(TableDescriptors descriptors, Complaints complaints) {
    this.descriptors = descriptors;
    this.complaints = complaints;
  }

  /**
   * A region is open.
   *
   * @param schema the definitions with which it opened
   * @param changes told of the definitions whenever they have been read again
   */
  public RegionSchema open(TableName table, IndexSchema schema, Consumer<IndexSchema> changes) {
    RegionSchema region = new RegionSchema(this, table, schema, changes);
    regions.add(region);
    return region;
  }

  void closed(RegionSchema region) {
    regions.remove(region);
  }

  /**
   * Reads the definitions of all tables that have any. The regions of other tables are told when
   * one is created.
   */
  public void refresh() {
    readings.forget();
    refresh(r -> !r.current().isEmpty());
  }

  /**
   * Reads the definitions of a table that has changed.
   *
   * @param changed empty if any table may have
   */
  public void refresh(Optional<TableName> changed) {
    refresh(r -> changed.isEmpty() || changed.get().equals(r.table()));
  }

  private void refresh(Predicate<RegionSchema> which) {
    Map<TableName, List<RegionSchema>> tables =
        regions.stream().filter(which).collect(Collectors.groupingBy(RegionSchema::table));
    tables.forEach(
        (table, its) -> {
          try {
            read(table, its, readings.now());
          } catch (IOException | RuntimeException e) {
            complaints.warn(LOG, "Reading the index definitions", table, "this server", e);
          }
        });
  }

  /** Reads those of one region's table. */
  void refresh(RegionSchema region) throws IOException {
    read(region.table(), List.of(region), readings.now());
  }

  /** The same, or takes a reading that is young enough. */
  void refresh(RegionSchema region, SharedReadings.Terms terms) throws IOException {
    read(region.table(), List.of(region), terms);
  }

  /**
   * One reading of a table at a time: an older one never takes the place of a newer one, with which
   * writes have begun to be indexed.
   */
  private void read(TableName table, List<RegionSchema> its, SharedReadings.Terms terms)
      throws IOException {
    readings.read(table, terms, this::read, schema -> its.forEach(r -> r.take(schema)));
  }

  private IndexSchema read(TableName table) throws IOException {
    TableDescriptor descriptor = descriptors.get(table);
    if (descriptor == null) {
      throw new IOException("table '" + table + "' has no descriptor");
    }
    return IndexSchema.of(descriptor);
  }
}
