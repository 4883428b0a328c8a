package io.spyhop.server.model;

import io.spyhop.client.Aggregate;
import io.spyhop.client.AggregateResult;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.aggregate.Measure;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.server.testing.PlainAggregates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks for random aggregates of random rows, as the system and as a user, and compares with those
 * that are counted from the rows of the plain scan.
 */
final class AggregateChecker implements AutoCloseable {
  /** Few rows of histories are in one HFile alone, so more often is asked about those. */
  private static final int INDEXED = 2;

  private static final List<Column> ALL = List.of(Column.values());

  private final ModelTable model;
  private final Spyhop spyhop;
  private final long rowsBefore;
  private long compared;
  private long byRegions;

  AggregateChecker(ModelTable model) throws IOException {
    this.model = model;
    this.spyhop = Spyhop.connect(model.cluster().connection());
    this.rowsBefore = columnarRows();
  }

  /** A question, in both ways. */
  private record Asked(Query query, PlainAggregates plain, Aggregation aggregation) {}

  void check(Random r) throws IOException {
    compare(draw(r, ALL));
    for (int i = 0; i < INDEXED; i++) {
      compare(drawIndexed(r));
    }
  }

  private void compare(Asked asked) throws IOException {
    compare("", spyhop.table(model.name()), asked);
    if (model.security().isPresent()) {
      compare("as a user ", model.security().get().usersSpyhop().table(model.name()), asked);
    }
  }

  /** Columns of one family with an index alone, so that no row may have to be read. */
  private Asked drawIndexed(Random r) throws IOException {
    byte[] family = any(r, ALL).family();
    List<Column> columns =
        model.indexes().stream()
            .map(Column::of)
            .filter(c -> Bytes.equals(c.family(), family))
            .distinct()
            .toList();
    Asked asked = draw(r, columns.isEmpty() ? ALL : columns);
    String hint = r.nextInt(4) > 0 ? Attributes.PATH_INDEX : Attributes.PATH_AUTO;
    return new Asked(asked.query().hint(hint), asked.plain(), asked.aggregation());
  }

  private static Asked draw(Random r, List<Column> columns) {
    Query rows =
        r.nextInt(4) == 0
            ? Query.all()
            : ParameterQueries.where(RandomPredicates.typed(RandomPredicates.draw(r, columns)));
    Query query =
        rows.caching(1 + r.nextInt(5))
            .hint(RandomReads.hint(r))
            .pruning(r.nextBoolean())
            .readLike(RandomReads.draw(r));
    if (r.nextInt(4) == 0) {
      List<byte[]> range = RandomScans.range(r);
      query = query.range(range.get(0), range.get(1));
    }
    List<Column> groupBy =
        Stream.generate(() -> any(r, columns)).limit(r.nextInt(3)).distinct().toList();
    PlainAggregates plain = new PlainAggregates(groupBy.stream().map(c -> bound(c)).toList());
    for (int i = r.nextInt(6); i >= 0; i--) {
      add(r, plain, any(r, columns));
    }
    String[] names = groupBy.stream().map(AggregateChecker::named).toArray(String[]::new);
    return new Asked(query, plain, Aggregation.of(plain.aggregates()).groupBy(names));
  }

  private static void add(Random r, PlainAggregates plain, Column column) {
    Aggregate.Function[] functions = Aggregate.Function.values();
    Aggregate.Function f = functions[r.nextInt(functions.length)];
    boolean sums = f == Aggregate.Function.SUM || f == Aggregate.Function.AVG;
    if (f == Aggregate.Function.COUNT_ROWS || sums && !Measure.Kind.SUM.fits(column.type())) {
      plain.and(Aggregate.count(), null);
    } else {
      plain.and(new Aggregate(f, Optional.of(named(column))), bound(column));
    }
  }

  private static Column any(Random r, List<Column> columns) {
    return columns.get(r.nextInt(columns.size()));
  }

  private static BoundColumn bound(Column column) {
    return new BoundColumn(ColumnName.parse(column.text()), column.type());
  }

  private static String named(Column column) {
    return "CAST(\"" + column.text() + "\" AS " + column.type() + ")";
  }

  private void compare(String who, IndexedTable table, Asked asked) throws IOException {
    Answers answers =
        Answers.of(
            model.isRestless(),
            plain(table, asked, asked.query()),
            () -> plain(table, asked, asked.query()),
            () -> aggregated(table, asked));
    compared++;
    if (!answers.agree() && !areColumnsDenied(table, asked, answers.other())) {
      throw new AssertionError(
          who
              + asked.query()
              + " "
              + asked.aggregation()
              + "\nof the plain scan's rows:\n  "
              + String.join("\n  ", answers.plain())
              + "\naggregated:\n  "
              + String.join("\n  ", answers.other()));
    }
  }

  /** A scan of the columns alone is refused where one of whole rows has other columns to show. */
  private static boolean areColumnsDenied(IndexedTable table, Asked asked, List<String> answer)
      throws IOException {
    String[] columns =
        Stream.concat(
                table.bind(asked.query()).columns().stream(), asked.plain().columns().stream())
            .map(c -> c.name().toString())
            .distinct()
            .toArray(String[]::new);
    return answer.equals(denied())
        && plain(table, asked, asked.query().select(columns)).equals(denied());
  }

  private static List<String> denied() {
    return List.of(AccessDeniedException.class.getName());
  }

  private static List<String> plain(IndexedTable table, Asked asked, Query rows)
      throws IOException {
    List<Result> all = new ArrayList<>();
    try (RowCursor cursor = table.query(rows.hint(Attributes.PATH_SCAN).pruning(false))) {
      cursor.forEach(all::add);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof AccessDeniedException) {
        return denied();
      }
      throw e;
    } catch (AccessDeniedException e) {
      return denied();
    }
    return asked.plain().of(all);
  }

  private List<String> aggregated(IndexedTable table, Asked asked) throws IOException {
    try {
      AggregateResult answer = table.aggregate(asked.query(), asked.aggregation());
      byRegions += answer.rowsRead() == 0 ? 1 : 0;
      return asked.plain().text(answer);
    } catch (AccessDeniedException e) {
      return denied();
    }
  }

  /** How many rows were not read, on all servers. */
  private long columnarRows() {
    return model.cluster().sum(m -> m.columnarRows);
  }

  /** How many answers regions gave alone. */
  long byRegions() {
    return byRegions;
  }

  @Override
  public String toString() {
    return compared
        + " aggregates compared, "
        + byRegions
        + " of them by regions alone, "
        + (columnarRows() - rowsBefore)
        + " rows taken from columns";
  }

  @Override
  public void close() throws IOException {
    spyhop.close();
  }
}
