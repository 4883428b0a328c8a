package io.spyhop.server.fuzz;

import io.spyhop.core.order.KeyOrderFilter;
import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.order.ValuePosition;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateCodec;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.RowJudge;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.protocol.FirstRows;
import io.spyhop.core.protocol.JobRecord;
import io.spyhop.core.protocol.PlanRequest;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.RegionViews;
import io.spyhop.core.protocol.SlowQuery;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.protocol.TableDefinitions;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.stats.ColumnUse;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.stats.SummaryChange;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.DeserializationException;

/** Predicates, and what clients and regions say to each other. */
final class CoreDecoders {
  private static final Set<Class<? extends Throwable>> CORRUPT =
      Set.of(CorruptFrameException.class);
  private static final String PROTOCOL = "io.spyhop.core.protocol.";
  private static final SchemaResolver ANY =
      new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f"));

  private CoreDecoders() {}

  static List<Decoder> all() {
    List<Decoder> all = new ArrayList<>();
    all.add(
        new Decoder(
            "io.spyhop.core.predicate.PredicateCodec#decode",
            PredicateCodec::decode,
            read -> judge((BoundPredicate) read),
            CORRUPT,
            CoreDecoders::predicate));
    all.add(
        new Decoder(
            "io.spyhop.core.predicate.PredicateFilter#parseFrom",
            PredicateFilter::parseFrom,
            read -> ((PredicateFilter) read).toByteArray(),
            Set.of(DeserializationException.class),
            CoreDecoders::predicate));
    all.add(
        new Decoder(
            "io.spyhop.core.order.OrderRequest#decode",
            OrderRequest::decode,
            read -> ((OrderRequest) read).encode(),
            CORRUPT,
            CoreDecoders::orderRequest));
    all.add(
        new Decoder(
            "io.spyhop.core.order.ValueOrderFilter#parseFrom",
            ValueOrderFilter::parseFrom,
            read -> ((ValueOrderFilter) read).toByteArray(),
            Set.of(DeserializationException.class),
            CoreDecoders::orderRequest));
    all.add(
        new Decoder(
            "io.spyhop.core.order.KeyOrderRequest#decode",
            KeyOrderRequest::decode,
            read -> ((KeyOrderRequest) read).encode(),
            CORRUPT,
            CoreDecoders::keyOrderRequest));
    all.add(
        new Decoder(
            "io.spyhop.core.order.KeyOrderFilter#parseFrom",
            KeyOrderFilter::parseFrom,
            read -> ((KeyOrderFilter) read).toByteArray(),
            Set.of(DeserializationException.class),
            CoreDecoders::keyOrderRequest));
    addRegions(all);
    addSummaries(all);
    all.addAll(AggregateDecoders.all());
    return all;
  }

  private static void addRegions(List<Decoder> all) {
    all.add(
        decoder(PROTOCOL + "RegionRequest#decode", RegionRequest::decode, CoreDecoders::request));
    all.add(decoder(PROTOCOL + "FirstRows#decode", FirstRows::decode, CoreDecoders::firstRows));
    all.add(
        new Decoder(
            PROTOCOL + "FirstRows#scan",
            FirstRows::scan,
            Decoder.Use.SHOWN,
            Set.of(DoNotRetryIOException.class),
            CoreDecoders::smallScan));
    all.add(
        decoder(PROTOCOL + "PlanRequest#decode", PlanRequest::decode, CoreDecoders::planRequest));
    all.add(decoder(PROTOCOL + "Refusal#decode", Refusal::decode, CoreDecoders::refusal));
    all.add(decoder(PROTOCOL + "RegionPlan#decode", RegionPlan::decode, CoreDecoders::plan));
    all.add(decoder(PROTOCOL + "RegionStatus#decode", RegionStatus::decode, CoreDecoders::status));
    all.add(decoder(PROTOCOL + "RegionViews#decode", RegionViews::decode, CoreDecoders::views));
    all.add(
        decoder(
            PROTOCOL + "TableDefinitions#decode",
            TableDefinitions::decode,
            CoreDecoders::definitions));
    all.add(
        new Decoder(
            PROTOCOL + "JobRecord#decode",
            JobRecord::decode,
            CoreDecoders::encodeJobs,
            CORRUPT,
            CoreDecoders::jobs));
    all.add(
        new Decoder(
            PROTOCOL + "SlowQuery#decode",
            SlowQuery::decode,
            CoreDecoders::encodeSlowQueries,
            CORRUPT,
            CoreDecoders::slowQueries));
  }

  private static byte[] refusal(Values v) {
    Refusal.Kind[] kinds = Refusal.Kind.values();
    return new Refusal(kinds[v.below(kinds.length)], v.name()).encode();
  }

  private static void addSummaries(List<Decoder> all) {
    all.add(
        decoder(
            PROTOCOL + "SummaryRequest#decode",
            SummaryRequest::decode,
            v -> new SummaryRequest(v.number(), v.number()).encode()));
    all.add(
        decoder(
            PROTOCOL + "DigestRequest#decode",
            DigestRequest::decode,
            v -> new DigestRequest(v.number(), v.number()).encode()));
    all.add(
        new Decoder(
            PROTOCOL + "DigestAnswer#decode",
            DigestAnswer::decode,
            read -> ((Optional<?>) read).ifPresent(d -> ((DigestAnswer) d).encode()),
            CORRUPT,
            v ->
                new DigestAnswer(
                        v.number(),
                        v.number(),
                        v.flag(),
                        new long[] {v.number(), v.number()},
                        new long[] {v.number(), v.number()})
                    .encode()));
    all.add(
        new Decoder(
            PROTOCOL + "SummaryAnswer#decode",
            SummaryAnswer::decode,
            CoreDecoders::useSummary,
            CORRUPT,
            Values.unfailing(CoreDecoders::summary)));
  }

  private static Decoder decoder(String reader, Decoder.Call call, Function<Values, byte[]> valid) {
    return new Decoder(reader, call, CoreDecoders::use, CORRUPT, valid);
  }

  /** What is decoded can be shown, compared and sent. */
  private static void use(Object read) throws Throwable {
    Hidden.encodeAgain(read);
    Decoder.Use.SHOWN.use(read);
    if (!Set.of(read).contains(read)) {
      throw new AssertionError("is not equal to itself");
    }
  }

  private static void judge(BoundPredicate p) {
    PredicateCodec.encode(p);
    byte[] value = {0, 0, 0, 1};
    RowJudge judge = p.judge();
    for (int i = 0; i < p.columns().size(); i++) {
      judge.offer(i, value, 0, value.length);
      if (p.canDrive(i)) {
        p.keyRanges(i);
      }
    }
    judge.matches();
    Objects.requireNonNull(p.toString());
  }

  private static void useSummary(Object read) throws Throwable {
    use(read);
    ((SummaryAnswer) read)
        .whole()
        .ifPresent(
            w -> {
              Objects.requireNonNull(w.union().columns().toString());
              w.covers(new byte[0], new byte[] {1});
              List<SummaryChange> change = List.of(SummaryChange.of(SummaryChange.Kind.DELETE));
              CompactSummary.of(w, c -> c, c -> ColumnUse.RANGES, 1_000)
                  .after(change, c -> ColumnUse.POINTS, 500)
                  .unpacked();
            });
  }

  private static void encodeJobs(Object read) {
    List<JobRecord> jobs = new ArrayList<>();
    ((List<?>) read).forEach(j -> jobs.add((JobRecord) j));
    JobRecord.encode(jobs);
  }

  private static void encodeSlowQueries(Object read) throws Throwable {
    Decoder.Use.SHOWN.use(read);
    List<SlowQuery> queries = new ArrayList<>();
    ((List<?>) read).forEach(q -> queries.add((SlowQuery) q));
    SlowQuery.encode(queries);
  }

  private static byte[] slowQueries(Values v) {
    return SlowQuery.encode(
        v.list(
            () -> {
              try {
                return new SlowQuery(v.number(), v.name(), v.name(), RegionPlan.decode(plan(v)));
              } catch (CorruptFrameException e) {
                throw new UncheckedIOException(e);
              }
            }));
  }

  static byte[] predicate(Values v) {
    return PredicateCodec.encode(bound(v));
  }

  private static byte[] smallScan(Values v) {
    Scan scan = new Scan().addColumn(v.bytes(1, 3), v.bytes()).setLimit(v.below(100));
    try {
      return FirstRows.request(scan.withStartRow(v.bytes())).payload();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] firstRows(Values v) {
    Cell cell =
        new KeyValue(v.bytes(1, 12), v.bytes(), v.bytes(), (long) v.below(1_000), v.bytes());
    List<List<Cell>> rows = Collections.nCopies(v.below(3), List.of(cell, cell));
    return new FirstRows(rows, v.flag()).encode();
  }

  private static byte[] keyOrderRequest(Values v) {
    return new KeyOrderRequest(v.bytes(), v.bytes(), v.bytes(), v.flag(), v.bytes()).encode();
  }

  private static byte[] orderRequest(Values v) {
    ValueType[] types = ValueType.values();
    Predicate.ColumnRef column = new Predicate.ColumnRef("f:by", types[v.below(types.length)]);
    Binder.Valued valued = Binder.bindValued(v.flag() ? null : condition(v, 2), column, ANY);
    Optional<ValuePosition> after =
        v.flag()
            ? Optional.of(new ValuePosition(valued.column().type().codec().some(), v.bytes()))
            : Optional.empty();
    ValueOrder order = new ValueOrder(valued.column(), v.flag());
    return new OrderRequest(valued.predicate(), order, v.bytes(), after).encode();
  }

  private static BoundPredicate bound(Values v) {
    return Binder.bind(condition(v, 3), ANY);
  }

  private static Predicate condition(Values v, int depth) {
    int sort = depth == 0 ? 3 : v.below(6);
    if (sort < 2) {
      Predicate[] some = new Predicate[2 + v.below(3)];
      for (int i = 0; i < some.length; i++) {
        some[i] = condition(v, depth - 1);
      }
      return sort == 0 ? Predicates.and(some) : Predicates.or(some);
    }
    return sort == 2 ? condition(v, depth - 1).not() : leaf(v);
  }

  private static Predicate leaf(Values v) {
    ValueType type = v.one(ValueType.values());
    var column = Predicates.column("f:" + type.name().toLowerCase(Locale.ROOT), type);
    return switch (v.below(6)) {
      case 0 -> column.eq(v.literal(type));
      case 1 -> column.ge(v.literal(type));
      case 2 -> column.between(v.literal(type), v.literal(type));
      case 3 -> column.isNull();
      case 4 ->
          type.codec().supportsPrefix()
              ? column.startsWith(v.literal(type))
              : column.ne(v.literal(type));
      default -> {
        List<Object> some = v.list(() -> v.literal(type));
        some.add(v.literal(type));
        yield column.in(some);
      }
    };
  }

  private static byte[] request(Values v) {
    return new RegionRequest(v.one(RegionRequest.Kind.values()), v.bytes()).encode();
  }

  private static byte[] planRequest(Values v) {
    return new PlanRequest(bound(v), v.list(v::bytes), "auto").encode();
  }

  private static byte[] plan(Values v) {
    RegionPlan plan =
        new RegionPlan(
            v.hex(32),
            "host,16020," + v.number(),
            v.one(RegionPlan.Path.values()),
            v.name(),
            v.name(),
            v.list(() -> new RegionPlan.Estimate(v.name(), v.number(), v.below(9), v.below(9))),
            v.number(),
            v.below(9),
            v.below(9),
            v.number(),
            Optional.empty());
    RegionPlan.Actual actual = new RegionPlan.Actual(1, 2, 3, 4, 5, v.number(), v.name());
    return (v.flag() ? plan : plan.with(actual)).encode();
  }

  private static byte[] status(Values v) {
    return new RegionStatus(v.hex(32), "host,16020,1", v.list(() -> state(v)), v.list(v::name))
        .encode();
  }

  private static RegionStatus.IndexState state(Values v) {
    return new RegionStatus.IndexState(
        v.name(), v.number(), 3, 2, v.number(), 1, 0, v.number(), 9, 1, v.number(), v.name());
  }

  private static byte[] views(Values v) {
    return new RegionViews(v.list(() -> view(v))).encode();
  }

  private static RegionViews.View view(Values v) {
    return new RegionViews.View(
        v.name(), 3, 2, v.number(), v.number(), v.flag(), 1, v.number(), v.name());
  }

  private static byte[] definitions(Values v) {
    return Values.frame(
        "SPTD",
        out -> {
          List<byte[]> families = v.list(v::bytes);
          out.writeInt(families.size());
          for (byte[] f : families) {
            Frame.writeBytes(out, f);
            out.writeInt(3);
            out.writeBoolean(v.flag());
          }
          List<String> names = v.list(v::name);
          out.writeInt(names.size());
          for (String n : names) {
            out.writeUTF(n);
            out.writeUTF(Definitions.text(v));
          }
        });
  }

  private static byte[] jobs(Values v) {
    return JobRecord.encode(
        v.list(() -> new JobRecord(v.name(), "DONE", v.number(), v.below(99), v.below(99))));
  }

  private static byte[] summary(Values v) throws IOException {
    return Values.frame(
        "SPSA",
        out -> {
          boolean whole = v.flag();
          out.writeBoolean(whole);
          if (whole) {
            writeRegion(v, out);
          } else {
            out.writeLong(v.number());
            out.writeLong(v.number());
            writeChanges(v, out);
          }
        });
  }

  private static void writeRegion(Values v, DataOutputStream out) throws IOException {
    out.writeUTF(v.hex(32));
    Frame.writeBytes(out, v.bytes());
    Frame.writeBytes(out, v.bytes());
    out.writeLong(v.number());
    out.writeLong(v.number());
    out.writeUTF(v.flag() ? "" : v.name());
    out.writeBoolean(v.flag());
    List<byte[]> occupied = v.list(v::bytes);
    out.writeInt(occupied.size());
    for (byte[] f : occupied) {
      Frame.writeBytes(out, f);
    }
    Sources.write(v, out);
    Sources.write(v, out);
  }

  private static void writeChanges(Values v, DataOutputStream out) throws IOException {
    List<Integer> kinds = v.list(() -> v.below(7));
    out.writeInt(kinds.size());
    for (int kind : kinds) {
      out.writeByte(kind);
      byte[] family = kind < 4 ? v.bytes(1, 4) : null;
      Frame.writeBytesOrNull(out, family);
      Frame.writeBytesOrNull(out, kind < 4 ? v.bytes() : null);
      Frame.writeBytesOrNull(out, kind == 0 || kind == 6 ? v.bytes(1, 8) : null);
    }
  }
}
