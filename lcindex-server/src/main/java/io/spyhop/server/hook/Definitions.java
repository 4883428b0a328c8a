package io.spyhop.server.hook;

import io.spyhop.core.protocol.TableDefinitions;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.access.ColumnAccess;
import io.spyhop.server.query.plan.Declarations;
import io.spyhop.server.runtime.RegionSchema;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Tells a table's definitions to callers who may read something of it, without the columns that
 * they may not read. Stateless; thread-safe.
 */
final class Definitions {
  private Definitions() {}

  /**
   * The definitions for the caller, whose Get access control has let pass.
   *
   * @param known to the region; empty where it has no indexes, or not yet, or no longer
   * @param payload of the question
   */
  static TableDefinitions answer(
      ObserverContext<RegionCoprocessorEnvironment> c, Optional<RegionSchema> known, byte[] payload)
      throws IOException {
    RegionCoprocessorEnvironment env = c.getEnvironment();
    HRegion region = (HRegion) env.getRegion();
    if (known.isPresent() && payload.length > 0) {
      known.get().refreshForCall(ColumnAccess.mayChange(region));
    }
    IndexSchema schema = known.isPresent() ? known.get().current() : stored(env);
    Set<ColumnName> readable = new HashSet<>();
    for (IndexDefinition index : schema.indexes()) {
      if (ColumnAccess.mayKnow(region, index.column())) {
        readable.add(index.column());
      }
    }
    return TableDefinitions.of(
        region.getTableDescriptor(), schema, index -> readable.contains(index.column()));
  }

  /** As the file system has them, for a region that has nobody who remembers them. */
  private static IndexSchema stored(RegionCoprocessorEnvironment env) throws IOException {
    TableName table = env.getRegion().getTableDescriptor().getTableName();
    TableDescriptor descriptor =
        ((HasRegionServerServices) env).getRegionServerServices().getTableDescriptors().get(table);
    if (descriptor == null) {
      throw new IOException("table '" + table + "' has no descriptor");
    }
    return IndexSchema.of(descriptor);
  }

  /** What the caller may know of an indexed region's declarations. */
  static Declarations seenBy(ObserverContext<RegionCoprocessorEnvironment> c, RegionSchema schema) {
    HRegion region = (HRegion) c.getEnvironment().getRegion();
    return new Declarations() {
      @Override
      public boolean isOtherType(ColumnName column, ValueType type) throws IOException {
        return schema.current().typeOf(column).filter(t -> t != type).isPresent()
            && ColumnAccess.mayKnow(region, column);
      }

      @Override
      public void readAgain() throws IOException {
        schema.refreshForCall(ColumnAccess.mayChange(region));
      }
    };
  }
}
