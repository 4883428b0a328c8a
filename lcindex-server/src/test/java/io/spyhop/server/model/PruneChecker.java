package io.spyhop.server.model;

import io.spyhop.client.Consistency;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.prune.ClientPruning;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks through partition pruning, at all consistency levels, and compares with the plain scan. Its
 * client lives as long as the history, so that what it knows of regions is as old as can be; what
 * is written meanwhile comes from other clients.
 */
final class PruneChecker implements AutoCloseable {
  private static final List<Consistency> LEVELS =
      List.of(Consistency.STRICT, Consistency.BATCHED, Consistency.bounded(Duration.ZERO));

  private final ModelTable model;
  private final SchemaResolver resolver;
  private final Client own;
  private final Optional<Client> user;
  private final Connection connection;
  private long compared;
  private long regionChanges;

  /** A client that asks. */
  private record Client(String name, IndexedTable indexed, Table table) {}

  /**
   * @param seed by which servers are asked for digests or not, and the cache is tiny or not
   */
  PruneChecker(ModelTable model, SchemaResolver resolver, long seed) throws IOException {
    this.model = model;
    this.resolver = resolver;
    Configuration conf = new Configuration(GlobalIndexes.clientConfiguration(model.cluster()));
    Random r = new Random(seed);
    if (r.nextInt(3) > 0) {
      conf.setInt(ClientPruning.DIGEST_REGIONS, 1);
    }
    if (r.nextBoolean()) {
      conf.setLong(ClientPruning.CACHE_BYTES, 1_000 + r.nextInt(9_000));
    }
    this.connection = ConnectionFactory.createConnection(conf);
    Spyhop spyhop = Spyhop.connect(connection);
    this.own = new Client("", spyhop.table(model.name()), connection.getTable(model.name()));
    this.user =
        model
            .security()
            .map(
                s ->
                    new Client("as a user: ", s.usersSpyhop().table(model.name()), s.usersTable()));
  }

  /** Regions that were left out of all queries. */
  long regionsPruned() {
    return own.indexed.statistics().regionsPruned();
  }

  void check(Random r) throws IOException {
    if (model.regionChanges() != regionChanges) {
      regionChanges = model.regionChanges();
      connection.clearRegionLocationCache();
    }
    for (int i = 0; i < 1 + r.nextInt(2); i++) {
      Predicate predicate = RandomPredicates.draw(r);
      BoundPredicate bound = Binder.bind(predicate, resolver);
      Scan scan = RandomScans.draw(r, bound, model.maySelectColumns());
      if (model.hasBuckets()) {
        query(predicate, bound);
        continue; // scans of one's own are BucketedTable's, which leaves out nothing
      }
      quiet(own, scan);
      if (user.isPresent()) {
        quiet(user.get(), model.security().get().draw(r, scan));
      }
      query(predicate, bound);
    }
    if (!model.hasBuckets()) {
      everyRow(r, user.filter(u -> r.nextBoolean()).orElse(own));
    }
    if (r.nextInt(8) == 0 && !model.isRestless() && !model.hasBuckets()) {
      underWriters(r);
    }
  }

  /** Nobody writes meanwhile: the answers are equal. */
  private void quiet(Client client, Scan scan) throws IOException {
    List<String> plain = plain(client, scan);
    for (Consistency level : LEVELS) {
      Answers answers =
          Answers.of(
              model.isRestless(),
              plain,
              () -> plain(client, scan),
              () -> pruned(client, scan, level));
      compared++;
      plain = answers.plain();
      if (!answers.agree()) {
        throw different(client, level + " scan " + scan, plain, answers.other());
      }
    }
  }

  /** The library's own queries take their types from the table's definitions. */
  private void query(Predicate predicate, BoundPredicate bound) throws IOException {
    Query query = ParameterQueries.where(predicate).hint(Attributes.PATH_SCAN);
    if (!isDeclared(bound)) {
      return;
    }
    List<String> plain = rows(query.pruning(false));
    for (Consistency level : LEVELS) {
      Answers answers =
          Answers.of(
              model.isRestless(),
              plain,
              () -> rows(query.pruning(false)),
              () -> rows(query.consistency(level)));
      compared++;
      plain = answers.plain();
      if (!answers.agree()) {
        String asked = query.consistency(level) + "\n" + own.indexed.explain(query);
        throw different(own, asked, plain, answers.other());
      }
    }
  }

  /** Without a condition a query is the plain scan, whichever way is asked for. */
  private void everyRow(Random r, Client client) throws IOException {
    int limit = 1 + r.nextInt(20);
    boolean isLimited = r.nextBoolean();
    Query all = Query.all().caching(1 + r.nextInt(5)).hint(RandomReads.hint(r));
    Query query = isLimited ? all.limit(limit) : all;
    Scan scan = isLimited ? new Scan().setLimit(limit) : new Scan();
    Answers answers =
        Answers.of(
            model.isRestless(),
            plain(client, scan),
            () -> plain(client, scan),
            () -> rows(client, query));
    compared++;
    if (!answers.agree()) {
      throw different(client, "every row, " + scan, answers.plain(), answers.other());
    }
  }

  private boolean isDeclared(BoundPredicate bound) throws IOException {
    List<ColumnName> declared = IndexSchema.of(model.descriptor()).columns();
    return bound.columns().stream().allMatch(c -> declared.contains(c.name()));
  }

  /**
   * Other clients add rows meanwhile. What the plain scan shows before is there at the least, what
   * it shows afterwards at the most.
   */
  private void underWriters(Random r) throws IOException {
    Scan scan = new Scan().setFilter(new PredicateFilter(Binder.bind(draw(r), resolver)));
    try (ModelWriters writers = new ModelWriters(model, r.nextLong())) {
      for (int i = 0; i < 6; i++) {
        Consistency level = LEVELS.get(i % LEVELS.size());
        List<String> before = plain(own, scan);
        List<String> answer = pruned(own, scan, level);
        List<String> after = plain(own, scan);
        compared++;
        if (!answer.containsAll(before) || !after.containsAll(answer)) {
          throw different(own, level + " scan under writers " + scan, before, answer);
        }
      }
    }
  }

  private static Predicate draw(Random r) {
    return r.nextBoolean()
        ? RandomPredicates.draw(r)
        : RandomPredicates.leaf(r, Column.values()[r.nextInt(Column.values().length)]);
  }

  private static List<String> plain(Client client, Scan scan) throws IOException {
    Scan plain =
        new Scan(scan).setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_SCAN));
    return read(() -> client.table.getScanner(plain));
  }

  private static List<String> pruned(Client client, Scan scan, Consistency level)
      throws IOException {
    return read(() -> client.indexed.getScanner(scan, level));
  }

  /** Opens a scan. */
  @FunctionalInterface
  private interface Opener {
    ResultScanner open() throws IOException;
  }

  /** The cells of the answer; a refusal is an answer, too. */
  private static List<String> read(Opener opener) throws IOException {
    List<String> lines = new ArrayList<>();
    try (ResultScanner scanner = opener.open()) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        Checker.show(row, lines);
      }
    } catch (AccessDeniedException e) {
      lines.add(e.getClass().getName());
    }
    return lines;
  }

  private List<String> rows(Query query) throws IOException {
    return rows(own, query);
  }

  private static List<String> rows(Client client, Query query) throws IOException {
    List<String> lines = new ArrayList<>();
    try (RowCursor cursor = client.indexed.query(query)) {
      for (Result row : cursor) {
        Checker.show(row, lines);
      }
    } catch (AccessDeniedException e) {
      lines.add(e.getClass().getName());
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof AccessDeniedException refused)) {
        throw e;
      }
      lines.add(refused.getClass().getName());
    }
    return lines;
  }

  private AssertionError different(
      Client client, String asked, List<String> plain, List<String> answer) {
    return new AssertionError(
        client.name
            + asked
            + "\nplain scan:\n  "
            + String.join("\n  ", plain)
            + "\npruned:\n  "
            + String.join("\n  ", answer)
            + "\n"
            + client.indexed.statistics());
  }

  @Override
  public String toString() {
    return compared + " pruned answers compared; " + own.indexed.statistics();
  }

  @Override
  public void close() throws IOException {
    own.table.close();
    connection.close();
  }
}
