package io.spyhop.server.fuzz;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.global.ServerTime;
import io.spyhop.core.protocol.BuiltLease;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryBatch;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.EntryPage;
import io.spyhop.core.protocol.EntryRemoval;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.protocol.GlobalIndexRequest;
import io.spyhop.core.protocol.OrphanTables;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.SearchPage;
import io.spyhop.core.protocol.SearchRequest;
import io.spyhop.core.protocol.ServerHealth;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/** Decoders of messages about global indexes. */
final class GlobalDecoders {
  private static final String CORE = "io.spyhop.core.";
  private static final Set<Class<? extends Throwable>> CORRUPT =
      Set.of(CorruptFrameException.class);

  private GlobalDecoders() {}

  static List<Decoder> all() {
    List<Decoder> all = new ArrayList<>();
    all.add(decoder("protocol.BuiltRanges", BuiltRanges::decode, GlobalDecoders::ranges));
    all.add(decoder("protocol.EntryTicket", EntryTicket::decode, v -> ticket(v).encode()));
    all.add(decoder("global.ServerTime", ServerTime::decode, v -> time(v).encode()));
    all.add(
        decoder(
            "protocol.EntryRemoval",
            EntryRemoval::decode,
            v -> new EntryRemoval(time(v), entries(v)).encode()));
    all.add(decoder("protocol.EntryList", EntryList::decode, GlobalDecoders::list));
    all.add(
        decoder(
            "protocol.EntryPage",
            EntryPage::decode,
            v -> new EntryPage(entries(v), next(v)).encode()));
    all.add(
        decoder(
            "protocol.SearchPage",
            SearchPage::decode,
            v ->
                new SearchPage(new BuiltRanges(List.of()), new EntryPage(entries(v), next(v)))
                    .encode()));
    all.add(
        decoder(
            "protocol.VerifyPage",
            VerifyPage::decode,
            v -> new VerifyPage(v.number(), entries(v), next(v)).encode()));
    all.add(
        decoder(
            "protocol.VerifyRequest",
            VerifyRequest::decode,
            v ->
                new VerifyRequest(v.name(), v.number(), v.flag(), v.bytes(), 10, entries(v))
                    .encode()));
    all.add(
        decoder(
            "protocol.PageRequest",
            PageRequest::decode,
            v ->
                new PageRequest(v.number(), v.bytes(), v.bytes(), v.number(), v.flag(), 10)
                    .encode()));
    all.add(
        decoder(
            "protocol.BuiltLease",
            BuiltLease::decode,
            v -> new BuiltLease(v.number(), new BuiltRanges(List.of())).encode()));
    all.add(
        decoder(
            "protocol.SearchRequest",
            SearchRequest::decode,
            v ->
                new SearchRequest(
                        v.number(),
                        List.of(new Span(v.bytes(), v.bytes()), new Span(v.bytes(), v.bytes())),
                        v.number(),
                        v.flag(),
                        10)
                    .encode()));
    all.add(
        decoder(
            "protocol.GlobalIndexRequest", GlobalIndexRequest::decode, v -> request(v).encode()));
    all.add(decoder("protocol.OrphanTables", OrphanTables::decode, GlobalDecoders::orphans));
    all.addAll(RebalanceDecoders.all());
    all.add(decoder("protocol.ServerHealth", ServerHealth::decode, v -> health(v).encode()));
    addBatches(all);
    return all;
  }

  private static void addBatches(List<Decoder> all) {
    all.add(
        new Decoder(
            CORE + "protocol.EntryBatch#decode",
            EntryBatch::decode,
            GlobalDecoders::encodeBatch,
            CORRUPT,
            v -> EntryBatch.encode(entries(v).stream().map(e -> e.put(v.flag())).toList())));
    all.add(
        new Decoder(
            CORE + "protocol.EntryBatch#decodeAnswer",
            EntryBatch::decodeAnswer,
            Decoder.Use.SHOWN,
            CORRUPT,
            v -> EntryBatch.encodeAnswer(v.list(() -> v.below(1_000)))));
    all.add(
        new Decoder(
            "io.spyhop.core.global.Entry#of",
            input -> Entry.of(input, 0, input.length, 1),
            read -> ((Entry) read).indexRow(),
            CORRUPT,
            v -> entry(v).indexRow()));
  }

  private static Decoder decoder(String name, Decoder.Call call, Function<Values, byte[]> valid) {
    return new Decoder(CORE + name + "#decode", call, GlobalDecoders::use, CORRUPT, valid);
  }

  private static void use(Object read) throws Throwable {
    Hidden.encodeAgain(read);
    Decoder.Use.SHOWN.use(read);
    if (read instanceof BuiltRanges ranges) {
      ranges.isComplete();
    }
    if (read instanceof EntryList list) {
      list.entries().forEach(Entry::indexRow);
    }
  }

  private static void encodeBatch(Object read) {
    List<Put> puts = new ArrayList<>();
    ((List<?>) read).forEach(p -> puts.add((Put) p));
    EntryBatch.encode(puts);
  }

  private static Entry entry(Values v) {
    return new Entry(v.key(v.one(ValueType.values())), v.bytes(1, 12), v.number());
  }

  private static List<Entry> entries(Values v) {
    return v.list(() -> entry(v));
  }

  private static Optional<byte[]> next(Values v) {
    return v.flag() ? Optional.empty() : Optional.of(v.bytes());
  }

  private static ServerTime time(Values v) {
    return new ServerTime("host,16020," + v.number(), v.number());
  }

  private static EntryTicket ticket(Values v) {
    return new EntryTicket(v.number(), v.number(), v.number());
  }

  private static byte[] ranges(Values v) {
    return new BuiltRanges(v.list(() -> new BuiltRanges.Range(v.bytes(), v.bytes()))).encode();
  }

  static byte[] list(Values v) {
    return new EntryList(v.name(), v.number(), entries(v)).encode();
  }

  static GlobalIndexRequest request(Values v) {
    return new GlobalIndexRequest(TableName.valueOf("table"), Definitions.one(v), v.list(v::bytes));
  }

  private static ServerHealth health(Values v) {
    return new ServerHealth(
        v.name(), v.number(), v.list(() -> new ServerHealth.Trouble(v.name(), v.name())));
  }

  private static byte[] orphans(Values v) {
    return Values.frame(
        "SPOT",
        out -> {
          List<String> names = v.list(v::name);
          out.writeInt(names.size());
          for (String n : names) {
            out.writeUTF("ns:_spyhop.t." + n.charAt(0));
            out.writeUTF("ns:t");
            out.writeUTF(n);
          }
        });
  }
}
