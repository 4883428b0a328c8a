package io.spyhop.server.fuzz;

import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.aggregate.ColumnValues;
import io.spyhop.core.aggregate.Groups;
import io.spyhop.core.aggregate.Measure;
import io.spyhop.core.aggregate.Total;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/** Aggregates, as clients ask for them and regions answer. */
final class AggregateDecoders {
  private static final Set<Class<? extends Throwable>> CORRUPT =
      Set.of(CorruptFrameException.class);

  /** Of every kind of total, grouped by text and by whole numbers. */
  private static final AggregateRequest EVERYTHING = request(0, 1);

  private AggregateDecoders() {}

  static List<Decoder> all() {
    return List.of(
        new Decoder(
            "io.spyhop.core.aggregate.AggregateRequest#decode",
            AggregateRequest::decode,
            read -> new Groups((AggregateRequest) read).encode(),
            CORRUPT,
            v -> request(v.below(4), v.below(4)).encode()),
        new Decoder(
            "io.spyhop.core.aggregate.Groups#decode",
            AggregateDecoders::decode,
            AggregateDecoders::use,
            CORRUPT,
            AggregateDecoders::groups));
  }

  private static AggregateRequest request(Integer... groupBy) {
    ValueType[] types = {
      ValueType.STRING, ValueType.TEXT_LONG, ValueType.TEXT_DOUBLE, ValueType.DECIMAL
    };
    List<BoundColumn> columns = new ArrayList<>();
    List<Measure> measures = new ArrayList<>();
    for (int c = 0; c < types.length; c++) {
      columns.add(new BoundColumn(ColumnName.parse("f:" + c), types[c]));
      for (Measure.Kind kind : Measure.Kind.values()) {
        if (kind.fits(types[c])) {
          measures.add(new Measure(kind, c));
        }
      }
    }
    return new AggregateRequest(
        columns, Collections.nCopies(types.length, true), List.of(groupBy), measures);
  }

  private static byte[] groups(Values v) {
    Groups groups = new Groups(EVERYTHING);
    for (int i = v.below(5); i > 0; i--) {
      ColumnValues row = new ColumnValues(EVERYTHING);
      List<byte[]> values =
          List.of(
              Bytes.toBytes(v.name()),
              Bytes.toBytes(Long.toString(v.number())),
              Bytes.toBytes(Double.toString(v.below(1_000) / 3.0)),
              Bytes.toBytes(BigDecimal.valueOf(v.number(), v.below(40))));
      for (int c = 0; c < values.size(); c++) {
        if (v.below(5) > 0) {
          row.offer(c, values.get(c), 0, values.get(c).length);
        }
      }
      groups.add(row);
    }
    return groups.encode();
  }

  private static Groups decode(byte[] bytes) throws CorruptFrameException {
    Groups groups = new Groups(EVERYTHING);
    groups.decode(bytes);
    return groups;
  }

  private static void use(Object read) throws CorruptFrameException {
    Groups groups = (Groups) read;
    Objects.requireNonNull(groups.sorted().toString());
    for (Groups.Group group : groups.sorted()) {
      group.results().stream().filter(Total.class::isInstance).forEach(r -> compute((Total) r));
    }
    Groups twice = decode(groups.encode());
    twice.decode(groups.encode());
  }

  private static void compute(Total total) {
    try {
      boolean none = total.count() == 0;
      if (none != (total.sum() == null) || none != (total.average() == null)) {
        throw new AssertionError("a total of " + total.count() + " values");
      }
    } catch (ArithmeticException e) {
      Objects.requireNonNull(e.getMessage(), "says why there is no sum");
    }
  }
}
