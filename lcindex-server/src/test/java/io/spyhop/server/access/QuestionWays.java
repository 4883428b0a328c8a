package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.protocol.EntryBatch;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.PlanRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionRequest.Kind;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.protocol.TableDefinitions;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.server.hook.Tickets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Questions to regions and servers, as they go over the wire. Stateless. */
final class QuestionWays {
  private static final byte[] FIRST = {0x01};
  private static final byte[] NOTES = {0x00};

  private QuestionWays() {}

  /** Asks the base table's region with a Get. */
  private static Observation ask(Caller c, RegionRequest request) throws Exception {
    return ask(c, request, get -> get);
  }

  private static Observation ask(Caller c, RegionRequest request, UnaryOperator<Get> with)
      throws Exception {
    Caller.Answer<Optional<byte[]>> answer = c.ask(() -> answer(c, request, with));
    if (answer.isRefused()) {
      return answer.refused();
    }
    return answer.value().orElseThrow().isEmpty()
        ? Observation.of(Outcome.NOTHING, List.of())
        : Observation.of(Outcome.ANSWERED, List.of());
  }

  private static Optional<byte[]> answer(Caller c, RegionRequest request, UnaryOperator<Get> with)
      throws IOException {
    Result cells = c.table().get(with.apply(request.toGet(new byte[0])));
    return cells.isEmpty()
        ? Optional.empty()
        : Optional.of(c.checked(CellUtil.cloneValue(cells.rawCells()[0])));
  }

  /** The same, and what the library makes of it. */
  private static Observation with(Observation asked, Caller c, Caller.Asking<String> library)
      throws Exception {
    Caller.Answer<String> said = c.ask(library);
    List<String> all = new ArrayList<>(asked.said());
    all.add(said.value().map(c::checked).orElse(said.refusal()));
    return Observation.of(asked.outcome(), all);
  }

  private static PlanRequest plan(Caller c) throws IOException {
    try (Spyhop spyhop = Spyhop.connect(c.cluster().connection())) {
      Query query = Query.where(QueryWays.BY_LOC);
      return new PlanRequest(
          spyhop.table(c.data().name()).bind(query), List.of(), Attributes.PATH_AUTO);
    }
  }

  static Observation explain(Caller c) throws Exception {
    Observation asked = ask(c, new RegionRequest(Kind.EXPLAIN, plan(c).encode()));
    String where = QueryWays.BY_GLOB + " AND " + QueryWays.BY_LOC;
    return with(
        asked, c, () -> c.spyhop().table(c.data().name()).explain(Query.where(where)).toText());
  }

  static Observation report(Caller c) throws Exception {
    byte[] id = Bytes.toBytes("id of " + c.viewer());
    Scan scan = new Scan();
    scan.setAttribute(Attributes.QUERY_ID, id);
    Caller.Answer<?> ran =
        c.ask(
            () -> {
              scan.setFilter(
                  c.spyhop().table(c.data().name()).filter(Query.where(QueryWays.BY_LOC)));
              return c.cells(scan);
            });
    Observation asked = ask(c, new RegionRequest(Kind.REPORT, id));
    assertThat(asked.outcome() == Outcome.REFUSED).isEqualTo(ran.isRefused());
    Query query = Query.where(QueryWays.BY_LOC);
    return with(
        asked,
        c,
        () -> {
          var plan = c.spyhop().table(c.data().name()).explainAnalyze(query);
          c.checked(plan.toText());
          return plan.driving() + " " + plan.recordsRead() + " " + plan.candidates();
        });
  }

  static Observation status(Caller c) throws Exception {
    return with(
        ask(c, RegionRequest.of(Kind.STATUS)),
        c,
        () -> c.spyhop().admin().status(c.data().name()).toString());
  }

  static Observation refresh(Caller c) throws Exception {
    return ask(c, RegionRequest.of(Kind.REFRESH));
  }

  static Observation summary(Caller c) throws Exception {
    return ask(c, SummaryRequest.first().toRegionRequest());
  }

  /** Of the table's regions on the region's server. */
  static Observation digest(Caller c) throws Exception {
    return ask(
        c,
        SummaryRequest.first().toRegionRequest(),
        get -> get.setAttribute(Attributes.DIGEST, DigestRequest.first().encode()));
  }

  static Observation definitions(Caller c) throws Exception {
    RegionRequest request = new RegionRequest(Kind.DEFINITIONS, TableDefinitions.KNOWN);
    Caller.Answer<Optional<byte[]>> answer = c.ask(() -> answer(c, request, get -> get));
    if (answer.isRefused()) {
      return answer.refused();
    }
    var told = TableDefinitions.decode(answer.value().orElseThrow().orElseThrow()).indexes();
    List<String> names = told.indexes().stream().map(i -> i.name()).sorted().toList();
    assertThat(told.unreadable()).isEmpty();
    assertThat(names).isNotEmpty();
    Outcome outcome = names.size() == SecretTable.declared() ? Outcome.ANSWERED : Outcome.PART;
    return Observation.of(outcome, names);
  }

  /** Asks a region by the coprocessor's service. */
  private static Observation ask(
      Caller c, TableName table, byte[] row, Question question, byte[] payload) throws Exception {
    Set<String> before = c.data().entries();
    Caller.Answer<byte[]> answer =
        c.ask(
            () -> {
              try (Table t = c.connection().getTable(table)) {
                return c.checked(ServerCalls.ask(t.coprocessorService(row), question, payload));
              }
            });
    if (answer.isRefused()) {
      assertThat(c.data().entries()).as("entries after a refusal").isEqualTo(before);
      return answer.refused();
    }
    return Observation.of(Outcome.ANSWERED, List.of());
  }

  private static Observation askBase(Caller c, Question question, byte[] payload) throws Exception {
    return ask(c, c.data().name(), Bytes.toBytes("a"), question, payload);
  }

  private static byte[] verification(Caller c, boolean repair, List<Entry> entries) {
    byte[] from = entries.isEmpty() ? Bytes.toBytes("a") : new byte[0];
    int limit = entries.isEmpty() ? SecretTable.ROWS : 0;
    return new VerifyRequest(
            c.data().glob().name(), c.data().glob().incarnation(), repair, from, limit, entries)
        .encode();
  }

  /** Entries without cells: of a row that is there, and of none. */
  private static List<Entry> dangling(Caller c) {
    return List.of(
        c.data().entry(SecretTable.row(100), "glob-none", SecretTable.NOW),
        c.data().entry("anorow", "glob-none", SecretTable.NOW));
  }

  static Observation missing(Caller c) throws Exception {
    return askBase(c, Question.MISSING, verification(c, false, List.of()));
  }

  static Observation dangle(Caller c) throws Exception {
    return askBase(c, Question.DANGLING, verification(c, false, dangling(c)));
  }

  static Observation repair(Caller c) throws Exception {
    Observation first = askBase(c, Question.MISSING, verification(c, true, List.of()));
    Observation second = askBase(c, Question.DANGLING, verification(c, true, dangling(c)));
    assertThat(second.outcome()).isEqualTo(first.outcome());
    return first;
  }

  static Observation hint(Caller c) throws Exception {
    byte[] hint = new EntryList("glob", c.data().glob().incarnation(), dangling(c)).encode();
    return askBase(c, Question.REPAIR, hint);
  }

  private static byte[] incarnation(Caller c) {
    return Long.toString(c.data().glob().incarnation()).getBytes(StandardCharsets.US_ASCII);
  }

  static Observation ticket(Caller c) throws Exception {
    return askBase(c, Question.TICKET, incarnation(c));
  }

  static Observation enter(Caller c) throws Exception {
    byte[] batch = EntryBatch.encode(List.of(dangling(c).get(0).put(false)));
    return ask(c, c.data().indexName(), FIRST, Question.ENTER, batch);
  }

  static Observation entries(Caller c) throws Exception {
    byte[] page =
        new PageRequest(
                c.data().glob().incarnation(), FIRST, new byte[0], Long.MAX_VALUE, true, 999)
            .encode();
    return ask(c, c.data().indexName(), FIRST, Question.ENTRIES, page);
  }

  static Observation built(Caller c) throws Exception {
    return ask(c, c.data().indexName(), NOTES, Question.BUILT, incarnation(c));
  }

  /** What servers do with index tables. */
  static Observation serverWrites(Caller c) throws Exception {
    byte[] batch =
        EntryBatch.encode(
            List.of(c.data().entry(SecretTable.row(100), "glob-100q", SecretTable.NOW).put(false)));
    return ask(c, c.data().indexName(), FIRST, Question.WRITE, batch);
  }

  /** A put that says that its entry is written, with a ticket that would be good. */
  static Observation forged(Caller c) throws Exception {
    String row = "aforged" + c.viewer().ordinal() + "q";
    byte[] ticket =
        Tickets.of(c.cluster().regions(c.data().name()).get(0), c.data().glob().incarnation())
            .encode();
    Put put = new Put(Bytes.toBytes(row));
    put.addColumn(SecretTable.F, SecretTable.GLOB, SecretTable.NOW, Bytes.toBytes("glob-forged"));
    put.setAttribute(Attributes.ENTERED, ticket);
    Caller.Answer<Boolean> answer =
        c.ask(
            () -> {
              c.table().put(put);
              return true;
            });
    String entry =
        Bytes.toStringBinary(c.data().entry(row, "glob-forged", SecretTable.NOW).indexRow());
    if (answer.isRefused()) {
      assertThat(c.data().entries()).doesNotContain(entry);
      return answer.refused();
    }
    assertThat(c.data().entries()).as("the region writes the entry").contains(entry);
    try (Table own = c.cluster().connection().getTable(c.data().name())) {
      own.delete(new Delete(Bytes.toBytes(row)));
    }
    return Observation.of(Outcome.REGION, List.of());
  }

  /** Asks the region server. */
  private static Observation askServer(Caller c, Question question) throws Exception {
    Caller.Answer<byte[]> answer =
        c.ask(
            () -> {
              try (Admin admin = c.connection().getAdmin()) {
                ServerName server = admin.getRegionServers().iterator().next();
                return c.checked(
                    ServerCalls.ask(admin.coprocessorService(server), question, new byte[0]));
              }
            });
    return answer.isRefused() ? answer.refused() : Observation.of(Outcome.NUMBERS, List.of());
  }

  static Observation jobs(Caller c) throws Exception {
    return askServer(c, Question.JOBS);
  }

  static Observation repairs(Caller c) throws Exception {
    return askServer(c, Question.REPAIRS);
  }

  static Observation health(Caller c) throws Exception {
    return askServer(c, Question.HEALTH);
  }
}
