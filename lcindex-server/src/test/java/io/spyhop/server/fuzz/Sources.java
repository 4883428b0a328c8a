package io.spyhop.server.fuzz;

import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.Frame;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/** Statistics as {@code docs/formats/region-statistics.md} and {@code sfile.md} have them. */
final class Sources {
  private Sources() {}

  /** What is known of a source. */
  static void write(Values v, DataOutputStream out) throws IOException {
    out.writeBoolean(v.flag());
    out.writeBoolean(v.flag());
    SortedMap<String, ValueType> columns = new TreeMap<>();
    v.list(v::name).forEach(n -> columns.put(n, v.one(ValueType.values())));
    out.writeInt(columns.size());
    for (var c : columns.entrySet()) {
      Frame.writeBytes(out, new byte[] {'f'});
      Frame.writeBytes(out, c.getKey().getBytes(StandardCharsets.UTF_8));
      writeColumn(v, c.getValue(), out);
    }
  }

  private static void writeColumn(Values v, ValueType type, DataOutputStream out)
      throws IOException {
    out.writeUTF(type.name());
    boolean empty = v.flag();
    Frame.writeBytesOrNull(out, empty ? null : v.key(type));
    Frame.writeBytesOrNull(out, empty ? null : v.key(type));
    out.writeBoolean(v.flag());
    out.writeBoolean(v.flag());
    out.writeBoolean(v.flag());
    boolean bloom = v.flag();
    out.writeBoolean(bloom);
    if (bloom) {
      int words = 1 << v.below(4);
      out.writeInt(words);
      for (int i = 0; i < words; i++) {
        out.writeLong(v.number());
      }
    }
  }

  /** What an SFile says of a column. */
  static void writeCounts(Values v, DataOutputStream out) throws IOException {
    for (int i = 0; i < 6; i++) {
      out.writeLong(v.below(1_000));
    }
    boolean empty = v.flag();
    Frame.writeBytesOrNull(out, empty ? null : v.bytes(1, 8));
    Frame.writeBytesOrNull(out, empty ? null : v.bytes(1, 8));
    SortedSet<byte[]> bounds = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    bounds.addAll(v.list(() -> v.bytes(1, 9)));
    out.writeInt(bounds.size());
    for (byte[] b : bounds) {
      Frame.writeBytes(out, b);
    }
    for (int i = 0; i <= bounds.size(); i++) {
      out.writeLong(1_000 + v.below(1_000));
    }
    for (int i = 0; i < bounds.size(); i++) {
      out.writeLong(v.below(1_000));
    }
  }
}
