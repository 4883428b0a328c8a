package io.spyhop.server.fuzz;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.internal.query.PageToken;
import io.spyhop.core.bucket.BucketHash;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.protocol.Protocol;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.ComposedKey;
import io.spyhop.core.value.InvalidValueException;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.DecimalNumber;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Definitions and numbers as text, and values. */
final class TextDecoders {
  private static final String SCHEMA = "io.spyhop.core.schema.";
  private static final String VALUE = "io.spyhop.core.value.";

  private TextDecoders() {}

  static List<Decoder> all() {
    List<Decoder> all = new ArrayList<>();
    addDefinitions(all);
    all.add(
        new Decoder(
            "io.spyhop.core.wire.DecimalNumber#decode",
            DecimalNumber::decode,
            Decoder.Use.NONE,
            Set.of(CorruptFrameException.class),
            v -> DecimalNumber.encode(v.number())));
    all.add(
        new Decoder(
            "io.spyhop.core.protocol.Protocol#agreed",
            Protocol::agreed,
            Decoder.Use.NONE,
            Set.of(DoNotRetryIOException.class),
            v -> DecimalNumber.encode(4 + v.below(9))));
    all.add(
        new Decoder(
            "io.spyhop.core.protocol.Protocol#isSpoken",
            input -> Protocol.isSpoken(text(input)),
            Decoder.Use.NONE,
            Set.of(),
            v -> DecimalNumber.encode(4 + v.below(9))));
    all.add(
        new Decoder(
            "io.spyhop.client.internal.query.PageToken#decode",
            input -> PageToken.decode(text(input), ""),
            Decoder.Use.NONE,
            Set.of(InvalidQueryException.class),
            v -> Bytes.toBytes(new PageToken(v.number(), v.bytes(), v.bytes()).encode())));
    addValues(all);
    return all;
  }

  private static String text(byte[] input) {
    return new String(input, StandardCharsets.UTF_8);
  }

  private static byte[] definition(Values v) {
    return Bytes.toBytes(v.below(4) == 0 ? ranged(v) : Definitions.text(v));
  }

  /** A range of numbers that no array can hold the digits of, sometimes. */
  private static String ranged(Values v) {
    BigDecimal low = new BigDecimal(v.below(9) + 1).scaleByPowerOfTen(v.below(900));
    return IndexDefinition.builder(v.name())
        .column("f:q")
        .type(ValueType.DECIMAL)
        .range(low, low.add(BigDecimal.ONE))
        .build()
        .text();
  }

  private static byte[] buckets(Values v) {
    int bits = 1 + v.below(BucketOptions.MAX_BITS);
    return Bytes.toBytes(
        new BucketOptions(
                BucketHash.MURMUR3_32, bits, 1 << v.below(bits + 1), 1L + v.below(1 << 30))
            .text());
  }

  private static void addDefinitions(List<Decoder> all) {
    all.add(
        new Decoder(
            SCHEMA + "IndexDefinition#parse",
            input -> IndexDefinition.parse("index", text(input)),
            read -> IndexDefinition.parse("index", ((IndexDefinition) read).text()),
            Set.of(InvalidIndexException.class),
            TextDecoders::definition));
    all.add(
        new Decoder(
            "io.spyhop.core.bucket.BucketOptions#parse",
            input -> BucketOptions.parse(text(input)),
            read -> BucketOptions.parse(((BucketOptions) read).text()),
            Set.of(InvalidBucketsException.class),
            TextDecoders::buckets));
    all.add(
        new Decoder(
            SCHEMA + "IndexSchema#of",
            input ->
                IndexSchema.of(
                    TableDescriptorBuilder.newBuilder(TableName.valueOf("table"))
                        .setValue(Bytes.toBytes(IndexSchema.KEY_PREFIX + "index"), input)
                        .build()),
            Decoder.Use.SHOWN,
            Set.of(),
            TextDecoders::definition));
    all.add(
        new Decoder(
            SCHEMA + "ColumnName#parse",
            input -> ColumnName.parse(text(input)),
            Decoder.Use.SHOWN,
            Set.of(IllegalArgumentException.class),
            v -> Bytes.toBytes(Definitions.one(v).column().toString())));
    all.add(
        new Decoder(
            SCHEMA + "BloomSize#parse",
            input -> BloomSize.parse(text(input)),
            Decoder.Use.SHOWN,
            Set.of(IllegalArgumentException.class),
            v -> Bytes.toBytes(v.flag() ? "auto" : "1024")));
  }

  private static void addValues(List<Decoder> all) {
    all.add(
        new Decoder(
            VALUE + "ComposedKey#split",
            input -> ComposedKey.split(input, 0, input.length),
            Decoder.Use.SHOWN,
            Set.of(IllegalArgumentException.class),
            v -> ComposedKey.compose(v.key(v.one(ValueType.values())), v.bytes())));
    for (ValueType type : ValueType.values()) {
      ValueCodec codec = type.codec();
      all.add(value("key", v -> stored(v, type), b -> codec.key(b, 0, b.length)));
      all.add(value("decode", v -> stored(v, type), b -> codec.decode(b, 0, b.length)));
      all.add(value("display", v -> stored(v, type), b -> codec.display(b, 0, b.length)));
      all.add(value("displayKey", v -> v.key(type), codec::displayKey));
      all.add(
          new Decoder(
              VALUE + "ValueCodec#storedOf",
              codec::storedOf,
              read -> codec.isDecodable((byte[]) read, 0, ((byte[]) read).length),
              Set.of(InvalidValueException.class),
              v -> v.key(type)));
      all.add(
          new Decoder(
              VALUE + "ValueCodec#operandFromStored",
              codec::operandFromStored,
              Decoder.Use.SHOWN,
              Set.of(InvalidValueException.class),
              v -> stored(v, type)));
    }
  }

  private static Decoder value(String method, Function<Values, byte[]> valid, Decoder.Call call) {
    return new Decoder(VALUE + "ValueCodec#" + method, call, Decoder.Use.NONE, Set.of(), valid);
  }

  private static byte[] stored(Values v, ValueType type) {
    return type.codec().operand(v.literal(type)).stored();
  }
}
