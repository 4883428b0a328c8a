package io.spyhop.server.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.StripeStoreEngine;

/**
 * HBase's ways of keeping a store's files, with settings that make a few small HFiles compact into
 * several. Where files are in stripes nothing expires: HBase never ends a flush that would have
 * nothing to write (docs/decisions/0007).
 */
final class StoreEngines {
  private static final String KEY = "hbase.hstore.engine.class";

  private static final List<Class<? extends StoreEngine<?, ?, ?, ?>>> ALL =
      List.of(DefaultStoreEngine.class, StripeStoreEngine.class, DateTieredStoreEngine.class);

  private static final Map<String, String> SETTINGS =
      Map.of(
          "hbase.store.stripe.initialStripeCount", "2",
          "hbase.store.stripe.compaction.minFilesL0", "2",
          "hbase.hstore.compaction.date.tiered.base.window.millis", "60000");

  private StoreEngines() {}

  private static String draw(Random r) {
    return ALL.get(r.nextInt(ALL.size())).getName();
  }

  /** Gives a new table one; every other table has HBase's own. */
  static TableDescriptor declare(TableDescriptor table, Random r) {
    TableDescriptorBuilder with = TableDescriptorBuilder.newBuilder(table);
    SETTINGS.forEach(with::setValue);
    return lasting(r.nextBoolean() ? with.build() : with.setValue(KEY, draw(r)).build());
  }

  /** Gives the table, or one of its families, another one. */
  static TableDescriptor alter(TableDescriptor table, Random r) {
    TableDescriptorBuilder with = TableDescriptorBuilder.newBuilder(table);
    if (r.nextBoolean()) {
      return lasting(with.setValue(KEY, draw(r)).build());
    }
    ColumnFamilyDescriptor family =
        table.getColumnFamilies()[r.nextInt(table.getColumnFamilyCount())];
    return lasting(
        with.modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(family)
                    .setConfiguration(KEY, draw(r))
                    .build())
            .build());
  }

  /** Whether a table or a family of it has its files in stripes. */
  static boolean haveStripes(TableDescriptor table) {
    String stripes = StripeStoreEngine.class.getName();
    return stripes.equals(table.getValue(KEY))
        || Arrays.stream(table.getColumnFamilies())
            .anyMatch(f -> stripes.equals(f.getConfigurationValue(KEY)));
  }

  private static TableDescriptor lasting(TableDescriptor table) {
    if (!haveStripes(table)) {
      return table;
    }
    TableDescriptorBuilder with = TableDescriptorBuilder.newBuilder(table);
    for (ColumnFamilyDescriptor f : table.getColumnFamilies()) {
      with.modifyColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(f).setTimeToLive(HConstants.FOREVER).build());
    }
    return with.build();
  }
}
