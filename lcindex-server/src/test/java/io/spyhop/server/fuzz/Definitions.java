package io.spyhop.server.fuzz;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.Boundaries;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import io.spyhop.core.value.ValueType;
import org.apache.hadoop.hbase.util.Bytes;

/** Definitions of indexes, as descriptors and messages have them. */
final class Definitions {
  private Definitions() {}

  static String text(Values v) {
    return one(v).text();
  }

  /** With an incarnation that the seed draws. */
  static IndexDefinition one(Values v) {
    IndexKind kind = v.one(IndexKind.values());
    ValueType type =
        kind == IndexKind.LOCAL && v.flag() ? ValueType.INT : v.one(ValueType.values());
    IndexDefinition.Builder b =
        IndexDefinition.builder(v.name())
            .kind(kind)
            .type(type)
            .column(ColumnName.of(Bytes.toBytes("f"), v.bytes()));
    if (kind == IndexKind.GLOBAL) {
      b.maintenance(v.one(Maintenance.values())).repair(v.one(Repair.values()));
      b.boundaries(v.one(Boundaries.values()));
    }
    if (kind == IndexKind.LOCAL && type == ValueType.INT) {
      b.range(v.below(100), 100 + v.below(100)).flags(1 + v.below(100));
    }
    if (kind == IndexKind.LOCAL && v.below(3) == 0) {
      b.layout(Layout.COLUMNAR);
    } else if (kind == IndexKind.LOCAL && v.flag()) {
      b.include(v.list(() -> ColumnName.of(Bytes.toBytes("f"), v.bytes())));
    }
    if (v.flag()) {
      b.bloom(v.flag() ? BloomSize.SIZED_TO_DATA : BloomSize.DEFAULT);
    }
    IndexDefinition drawn = b.build();
    String text = drawn.text().replaceAll(";id=\\w+$", ";id=" + Long.toHexString(v.number()));
    return IndexDefinition.parse(drawn.name(), text);
  }
}
