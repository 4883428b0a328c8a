package io.spyhop.server.index.local.upkeep;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A store's configuration in one piece. HBase copies the configuration for each HFile that is
 * written, and of its own compound ones a copy has nothing but the defaults, which it reads from
 * XML anew: more work than a small index file is.
 */
final class StoreConfiguration {
  private StoreConfiguration() {}

  /** The server's, overridden by the table's values, then by the family's, as HBase has it. */
  static Configuration of(
      Configuration server, TableDescriptor table, ColumnFamilyDescriptor family) {
    Configuration conf = new Configuration(server);
    add(conf, table.getValues());
    family.getConfiguration().forEach(conf::set);
    add(conf, family.getValues());
    return conf;
  }

  private static void add(Configuration conf, Map<Bytes, Bytes> values) {
    values.forEach((k, v) -> conf.set(string(k), string(v)));
  }

  private static String string(Bytes b) {
    return Bytes.toString(b.get(), b.getOffset(), b.getLength());
  }
}
