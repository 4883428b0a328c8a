package io.spyhop.server.access;

import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** An empty table whose indexes a caller makes, drops or makes anew; it always has the same. */
final class ChangedTable {
  /** The index that is there. */
  static final String THERE = "there";

  /** One that is made. */
  static final String NEW = "new";

  private final TestCluster cluster;
  private final TableName name = TableName.valueOf("changed");

  ChangedTable(TestCluster cluster) throws IOException {
    this.cluster = cluster;
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(SecretTable.F))
                .build());
    restore();
  }

  TableName name() {
    return name;
  }

  /** An index's name. */
  static String name(String what, IndexKind kind) {
    return what + kind.name().toLowerCase(Locale.ROOT);
  }

  /** An index of that table. */
  static IndexDefinition index(String what, IndexKind kind) {
    return IndexDefinition.builder(name(what, kind))
        .kind(kind)
        .column("f:" + name(what, kind))
        .type(ValueType.STRING)
        .build();
  }

  /** The table has one local and one global index again, and no other; as a superuser. */
  void restore() throws IOException {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      Set<String> missing = new HashSet<>();
      for (IndexKind kind : List.of(IndexKind.LOCAL, IndexKind.GLOBAL)) {
        missing.add(name(THERE, kind));
      }
      for (IndexDefinition index : spyhop.admin().listIndexes(name)) {
        if (!missing.remove(index.name())) {
          spyhop.admin().dropIndex(name, index.name());
        }
      }
      for (IndexKind kind : List.of(IndexKind.LOCAL, IndexKind.GLOBAL)) {
        if (missing.contains(name(THERE, kind))) {
          spyhop.admin().createIndex(name, index(THERE, kind));
        }
      }
    }
  }
}
