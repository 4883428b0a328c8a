package io.spyhop.server.model;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexPage;
import io.spyhop.client.IndexedCell;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.schema.Maintenance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Asks through the global indexes and compares with the plain scan. */
final class GlobalChecker {
  private final ModelTable model;
  private final Client own;
  private final Optional<Client> user;
  private long through;
  private long read;
  private long asked;
  private final Map<String, Integer> reasons = new TreeMap<>();

  /** A client that asks. */
  private record Client(String name, Spyhop spyhop, IndexedTable indexed, Table table) {}

  /** A question by value. */
  private record Wanted(Predicate predicate, long timestamp, int versions) {}

  GlobalChecker(ModelTable model) {
    this.model = model;
    this.own = client("", model.globals().spyhop(), model.table());
    this.user = model.security().map(s -> client("as a user: ", s.usersSpyhop(), s.usersTable()));
  }

  private Client client(String name, Spyhop spyhop, Table table) {
    return new Client(name, spyhop, spyhop.table(model.name()), table);
  }

  /** Queries that were explained, and that a global index answered. */
  long through() {
    return through;
  }

  void check(Random r) throws IOException {
    List<IndexDefinition> globals = model.globals().definitions();
    if (globals.isEmpty()) {
      return;
    }
    IndexDefinition index = globals.get(r.nextInt(globals.size()));
    Predicate predicate = predicate(r, index);
    long seed = r.nextLong();
    check(own, draw(new Random(seed), predicate), index.name(), new Random(seed));
    read(own, index, new Random(seed));
    if (user.isPresent()) {
      Query query = draw(new Random(seed), RandomPredicates.typed(predicate));
      check(user.get(), query, Attributes.PATH_INDEX, new Random(seed));
      read(user.get(), index, new Random(seed));
      model.security().get().requireHidden(model.name(), index);
    }
  }

  private List<Column> known() throws IOException {
    return IndexSchema.of(model.descriptor()).indexes().stream()
        .map(Column::of)
        .distinct()
        .toList();
  }

  private Predicate predicate(Random r, IndexDefinition index) throws IOException {
    Column c = Column.of(index);
    return switch (r.nextInt(8)) {
      case 0, 1 -> RandomPredicates.leaf(r, c);
      case 2 -> RandomPredicates.list(r, c);
      case 3, 4 -> onEach(r);
      case 5 -> Predicates.column(c.text()).eq(c.literal(r)).and(RandomPredicates.draw(r, known()));
      case 6 -> RandomPredicates.leaf(r, c).and(RandomPredicates.draw(r, known()));
      default -> RandomPredicates.draw(r, known());
    };
  }

  /** Conditions on all globally indexed columns: their rows are intersected. */
  private Predicate onEach(Random r) throws IOException {
    return model.globals().definitions().stream()
        .map(Column::of)
        .distinct()
        .map(c -> r.nextBoolean() ? RandomPredicates.list(r, c) : RandomPredicates.leaf(r, c))
        .reduce(Predicate::and)
        .orElseThrow();
  }

  private Query draw(Random r, Predicate predicate) throws IOException {
    Query query =
        ParameterQueries.where(predicate).caching(1 + r.nextInt(10)).readLike(RandomReads.draw(r));
    if (r.nextInt(3) == 0) {
      query = query.limit(1 + r.nextInt(5));
    }
    if (r.nextInt(5) == 0) {
      query = query.maxEntries(1 + r.nextInt(30));
    }
    if (r.nextInt(5) == 0) {
      List<byte[]> range = RandomScans.range(r);
      query = query.range(range.get(0), range.get(1));
    }
    if (r.nextInt(4) == 0) {
      query = query.select(known().get(r.nextInt(known().size())).text());
    }
    return query;
  }

  private void check(Client client, Query query, String named, Random r) throws IOException {
    List<String> plain = run(client, query.hint(Attributes.PATH_SCAN).pruning(false));
    List<String> hints =
        List.of(named, r.nextBoolean() ? Attributes.PATH_AUTO : Attributes.PATH_INDEX);
    for (String hint : hints) {
      Answers answers =
          Answers.of(
              model.isRestless(),
              plain,
              () -> run(client, query.hint(Attributes.PATH_SCAN).pruning(false)),
              () -> run(client, query.hint(hint)));
      asked++;
      plain = answers.plain();
      if (!answers.agree()) {
        throw new AssertionError(
            client.name
                + query.hint(hint)
                + "\nplain scan:\n  "
                + String.join("\n  ", plain)
                + "\nthrough the global index:\n  "
                + String.join("\n  ", answers.other())
                + "\nnow\n"
                + explain(client, query.hint(hint))
                + "the plain scan is now "
                + (run(client, query.hint(Attributes.PATH_SCAN).pruning(false)).equals(plain)
                    ? "as it was"
                    : "another: the table has changed"));
      }
    }
    if (r.nextBoolean()) {
      count(client, query.hint(named));
    }
  }

  /** Notes whether a global index answers a query. */
  private void count(Client client, Query query) throws IOException {
    QueryPlan.Global global;
    try {
      global =
          client
              .indexed
              .explainAnalyze(query)
              .global()
              .orElse(new QueryPlan.Global("", 0, 0, 0, 0, "cannot drive the predicate"));
    } catch (AccessDeniedException e) {
      global = new QueryPlan.Global("", 0, 0, 0, 0, "access denied");
    }
    boolean answered = !global.index().isEmpty() && global.reason().isEmpty();
    through += answered && client.equals(own) ? 1 : 0;
    String what = answered ? "answers" : global.reason().replaceAll("[0-9']", "");
    reasons.merge(client.name + what, 1, Integer::sum);
  }

  private String explain(Client client, Query query) {
    try {
      return client.indexed.explain(query).toText();
    } catch (IOException e) {
      return e + "\n";
    }
  }

  /** The cells of the answer; a refusal is an answer, too. */
  private List<String> run(Client client, Query query) throws IOException {
    List<String> lines = new ArrayList<>();
    try (RowCursor cursor = client.indexed.query(query)) {
      for (Result row : cursor) {
        Checker.show(row, lines);
      }
    } catch (UncheckedIOException e) {
      refused(e.getCause(), lines);
    } catch (AccessDeniedException e) {
      refused(e, lines);
    }
    return lines;
  }

  private static void refused(IOException e, List<String> lines) throws IOException {
    if (!(e instanceof AccessDeniedException)) {
      throw e;
    }
    lines.add(e.getClass().getName());
  }

  /**
   * Reads by value, some versions, as at now or another time. An index that is kept in place has no
   * entries of what can never be seen again, which an older time would show.
   *
   * <p>Single columns of families with NEW_VERSION_BEHAVIOR are not read, see {@link RandomScans}.
   */
  private void read(Client client, IndexDefinition index, Random r) throws IOException {
    Column c = Column.of(index);
    boolean explicit = !model.descriptor().getColumnFamily(c.family()).isNewVersionBehavior();
    if (!explicit || !model.globals().isBuilt(index)) {
      return;
    }
    boolean deferred = index.global().maintenance() == Maintenance.DEFERRED;
    boolean older = deferred && r.nextInt(3) == 0;
    long now = !deferred || r.nextBoolean() ? Long.MAX_VALUE : System.currentTimeMillis();
    long timestamp = older ? 1_000_000L + r.nextInt(5) : now;
    int versions = 1 + r.nextInt(3);
    Object literal = c.literal(r);
    Object other = c.literal(r);
    DeferredIndexTable table = client.spyhop.deferred(model.name(), index.name());
    DeferredIndexTable from = r.nextBoolean() ? table : table.withoutRepair();
    Predicates.ColumnExpression e = Predicates.column(c.text());
    int kind = r.nextInt(c == Column.B ? 3 : 2);
    Predicate predicate =
        kind == 0 ? e.eq(literal) : kind == 1 ? e.between(literal, other) : e.startsWith(literal);
    int size = 1 + r.nextInt(5);
    Wanted wanted = new Wanted(predicate, timestamp, versions);
    Answers.Asking byIndex =
        () -> {
          List<String> answer = new ArrayList<>();
          for (Optional<Paging> page = Optional.of(Paging.first(size)); page.isPresent(); ) {
            Paging p = page.get();
            IndexPage part =
                switch (kind) {
                  case 0 -> from.readValue(literal, timestamp, versions, p);
                  case 1 -> from.readRange(literal, other, timestamp, versions, p);
                  default -> from.readPrefix(c.store(literal), timestamp, versions, p);
                };
            part.cells().forEach(cell -> answer.add(cell.toString()));
            page = part.next().map(next -> Paging.from(size, next));
          }
          answer.sort(null);
          return answer;
        };
    Answers answers;
    try {
      answers =
          Answers.of(
              model.isRestless(),
              versions(client.table, c, wanted),
              () -> versions(client.table, c, wanted),
              byIndex);
    } catch (DoNotRetryIOException | InvalidIndexException refusal) {
      if (model.security().isPresent()) {
        return;
      }
      throw refusal;
    }
    read++;
    if (!answers.agree()) {
      throw new AssertionError(
          client.name
              + "read of "
              + index.name()
              + " "
              + index
              + ": "
              + wanted
              + "\nplain scan:\n  "
              + String.join("\n  ", answers.plain())
              + "\nthrough the global index:\n  "
              + String.join("\n  ", answers.other()));
    }
  }

  private static List<String> versions(Table table, Column c, Wanted wanted) throws IOException {
    long end = wanted.timestamp == Long.MAX_VALUE ? Long.MAX_VALUE : wanted.timestamp + 1;
    Scan scan =
        new Scan()
            .addColumn(c.family(), c.qualifier())
            .setTimeRange(0, end)
            .readVersions(wanted.versions);
    List<String> lines = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.rawCells()) {
          if (Oracle.matches(wanted.predicate, Result.create(List.of(cell)))) {
            byte[] value = CellUtil.cloneValue(cell);
            lines.add(new IndexedCell(row.getRow(), value, cell.getTimestamp()).toString());
          }
        }
      }
    }
    lines.sort(null);
    return lines;
  }

  @Override
  public String toString() {
    long denied = model.security().map(ModelSecurity::denied).orElse(0L);
    return asked
        + " queries, "
        + read
        + " reads by value, "
        + denied
        + " looks at index tables refused; of those explained "
        + reasons;
  }
}
